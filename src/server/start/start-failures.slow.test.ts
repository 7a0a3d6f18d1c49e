import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '#scripts/free-port.ts';
import { addressOf, onPostgres } from '#tests/support/on-postgres.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import { endOf, newFolder, rejection } from '#tests/support/start-server.ts';
import { hasPostgres, testPostgresUrl as postgres } from '#tests/support/test-postgres.ts';

const isRoot = process.getuid?.() === 0;

/** Creates a database as the server does, and closes it. */
let databaseBytes: () => string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-failure-template-'));
  const { openSqliteDatabase } = await import('#server/storage/database/sqlite/open-sqlite-database.ts');
  await (await openSqliteDatabase({ path: join(folder, 'earshot.db') })).close();
  databaseBytes = () => {
    const copy = newFolder();
    execFileSync('cp', [join(folder, 'earshot.db'), copy]);
    return copy;
  };
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
});

describe('a server that cannot listen prints the reason in one sentence and exits', () => {
  test('the port is used by another program', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    onTestFinished(() => {
      other.close();
    });
    expect(await rejection({ DATA_DIR: newFolder(), PORT: String(port) })).toBe(
      `Another program already uses port ${port} of HOST=127.0.0.1: stop that program, or set PORT to another number.`,
    );
  });

  test('the address does not belong to this machine', async () => {
    expect(await rejection({ DATA_DIR: newFolder(), HOST: '192.0.2.77' })).toMatch(
      /^HOST=192\.0\.2\.77 is not an address of this machine: set HOST to /,
    );
  });

  test('the host name cannot be resolved', async () => {
    expect(await rejection({ DATA_DIR: newFolder(), HOST: 'no-such-host.invalid' })).toMatch(
      /^HOST=no-such-host\.invalid cannot be resolved to an address: set HOST to /,
    );
  });

  test.skipIf(!isRoot)('the port is below 1024 and this user may not use it', async ({ skip }) => {
    if (
      execFileSync('cat', ['/proc/sys/net/ipv4/ip_unprivileged_port_start'], { encoding: 'utf8' }).trim() ===
      '0'
    )
      skip('every user may listen on every port here');
    const folder = newFolder();
    chmodSync(folder, 0o777);
    expect(await rejection({ DATA_DIR: folder, PORT: '81' }, { asNobody: true })).toMatch(
      /^This user may not listen on port 81: set PORT to 1024 or higher/,
    );
  });
});

test('accepts an IPv6 address with and without brackets, and its URL has them', async () => {
  const { startServer } = await import('#server/server.ts');
  const { readConfig } = await import('#server/config.ts');
  for (const HOST of ['[::1]', '::1']) {
    const server = await startServer(
      readConfig({ HOST, PORT: '0', DATA_DIR: newFolder(), LOG_LEVEL: 'silent' }),
      { webDirectory: '/nowhere' },
    );
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${server.url}/api/session`)).status).not.toBe(421);
    await server.stop();
  }
});

describe('a server that cannot use DATA_DIR prints the reason in one sentence and exits', () => {
  test('it is a file, or below one', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(await rejection({ DATA_DIR: file })).toBe(
      `${file} is a file, but a folder is needed: set DATA_DIR to a folder (it is ${file}), or move the file away.`,
    );
    expect(await rejection({ DATA_DIR: join(file, 'below') })).toMatch(
      `${file} is a file, but a folder is needed`,
    );
  });

  test.skipIf(!isRoot)('this user may not make it, write in it, or write the database in it', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    const remedy = (dataDir: string) =>
      `cannot be written by this user (uid ${execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).trim()}): make this user the owner of DATA_DIR=${dataDir} and everything in it, or set DATA_DIR to another folder.`;
    expect(await rejection({ DATA_DIR: join(folder, 'data') }, { asNobody: true })).toBe(
      `${join(folder, 'data')} ${remedy(join(folder, 'data'))}`,
    );
    expect(await rejection({ DATA_DIR: folder }, { asNobody: true })).toBe(`${folder} ${remedy(folder)}`);
    const copy = databaseBytes();
    chmodSync(copy, 0o777);
    expect(await rejection({ DATA_DIR: copy }, { asNobody: true })).toBe(
      `${join(copy, 'earshot.db')} ${remedy(copy)}`,
    );
  });

  test('it is a link to a disk that is not mounted', async () => {
    const link = join(newFolder(), 'link');
    symlinkSync(join(newFolder(), 'unmounted'), link);
    const linkText = `${link} is a link to a missing folder: mount its disk, or create the folder.`;
    expect(await rejection({ DATA_DIR: link })).toBe(linkText);
    expect(await rejection({ DATA_DIR: join(link, 'below') })).toBe(linkText);
  });

  test.skipIf(!existsSync('/proc/self'))('no folder can be created there', async () => {
    expect(await rejection({ DATA_DIR: '/proc/none/below' })).toMatch(
      /^The folder \/proc\/none cannot be created: .* Use another folder\.$/,
    );
  });

  test('the folder of blobs is a file', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'blobs'), '');
    expect(await rejection({ DATA_DIR: folder })).toMatch(
      `${join(folder, 'blobs')} is a file, but a folder is needed`,
    );
  });

  test.for([0, 8192, 40_960, 400_000])(
    'the disk is full except for %i bytes',
    async (leftBytes, { skip }) => {
      const disk = smallFileSystem(4);
      if (typeof disk === 'string') return skip(disk);
      onTestFinished(disk.unmount);
      fillUp(disk.directory, leftBytes);
      expect(await rejection({ DATA_DIR: disk.directory })).toMatch(
        new RegExp(
          String.raw`^The disk under DATA_DIR=${disk.directory} is full \(\d+ KiB are free\): delete or move other files on that disk, then start again\.$`,
        ),
      );
    },
  );
});

describe('a server that cannot use its database prints the reason in one sentence and exits', () => {
  test('the file is not a database', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'earshot.db'), 'This is a letter. '.repeat(1000));
    expect(await rejection({ DATA_DIR: folder })).toBe(
      `${join(folder, 'earshot.db')} is not an Earshot database: restore it from a backup, or set DATA_DIR to another folder.`,
    );
  });

  test('the file is a folder', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'earshot.db'));
    expect(await rejection({ DATA_DIR: folder })).toMatch(
      `${join(folder, 'earshot.db')} is a folder, but must be the database`,
    );
  });

  test('the file is damaged', async () => {
    const folder = databaseBytes();
    truncateSync(join(folder, 'earshot.db'), 4096 * 3);
    expect(await rejection({ DATA_DIR: folder })).toMatch(
      `The database ${join(folder, 'earshot.db')} is damaged ("database disk image is malformed"): restore it from a backup`,
    );
  });

  test('another program has locked it', async () => {
    const folder = databaseBytes();
    const holder = new DatabaseSync(join(folder, 'earshot.db'));
    onTestFinished(() => {
      holder.close();
    });
    holder.exec('pragma locking_mode = exclusive; begin exclusive');
    expect(await rejection({ DATA_DIR: folder })).toMatch(
      `The database ${join(folder, 'earshot.db')} is locked by another program`,
    );
  });

  test.each([
    [
      'made by a newer version of Earshot',
      `insert into schema_migrations (name, ran_at) values ('9999-later', 0)`,
      '9999-later',
    ],
    [
      'another program',
      'drop table schema_migrations; create table schema_migrations (version text)',
      'a table "schema_migrations" of another kind',
    ],
    ['another program', 'drop table schema_migrations', 'a table "'],
  ])('it belongs to %s', async (words, change, detail) => {
    const folder = databaseBytes();
    const database = new DatabaseSync(join(folder, 'earshot.db'));
    database.exec(change);
    database.close();
    const sentence = await rejection({ DATA_DIR: folder });
    expect(sentence).toMatch(`The database ${join(folder, 'earshot.db')} `);
    expect(sentence).toContain(words);
    expect(sentence).toContain(detail);
  });

  test('no PostgreSQL is running there', async () => {
    const port = await freePort();
    expect(
      await rejection({ DATA_DIR: newFolder(), DATABASE_URL: `postgres://ann:secret@127.0.0.1:${port}/ear` }),
    ).toBe(`PostgreSQL does not respond at 127.0.0.1:${port}: start it, or correct DATABASE_URL.`);
    expect(
      await rejection({
        DATA_DIR: newFolder(),
        DATABASE_URL: 'postgres://ann:secret@no-such-host.invalid/ear',
      }),
    ).toMatch(/^The host of no-such-host\.invalid:5432 cannot be resolved/);
  });

  test('the server there is not PostgreSQL', async () => {
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    onTestFinished(() => {
      other.close();
    });
    expect(
      await rejection({ DATA_DIR: newFolder(), DATABASE_URL: `postgres://ann:secret@127.0.0.1:${port}/ear` }),
    ).toMatch(`The program at 127.0.0.1:${port} is not PostgreSQL`);
  });
});

describe.skipIf(!hasPostgres)(
  'a PostgreSQL that rejects the server, or does not let it create tables, is named in one sentence',
  () => {
    const name = `failure_${process.pid}`;
    const server = hasPostgres ? new URL(postgres).host : '';
    const as = (user: string, database: string): string => {
      const url = new URL(addressOf(postgres, database));
      [url.username, url.password] = user.split(':') as [string, string];
      return url.href;
    };
    beforeAll(async () => {
      await onPostgres(postgres, async (client: Client) => {
        await client.query(`create role ${name} login password 'right'`);
        await client.query(`create database ${name}`);
      });
      return () =>
        onPostgres(postgres, async (client: Client) => {
          await client.query(`drop database ${name} with (force)`);
          await client.query(`drop role ${name}`);
        });
    });

    test('the database or the user does not exist', async () => {
      expect(
        await rejection({ DATA_DIR: newFolder(), DATABASE_URL: as('earshot:', 'no_such_database') }),
      ).toBe(
        `PostgreSQL at ${server} has no database "no_such_database": create it (createdb --owner=earshot no_such_database), or correct DATABASE_URL.`,
      );
      expect(await rejection({ DATA_DIR: newFolder(), DATABASE_URL: as('nobody_here:', name) })).toBe(
        `PostgreSQL at ${server} does not allow "nobody_here" to connect: correct DATABASE_URL, or allow the user in pg_hba.conf.`,
      );
    });

    test('the user may not create tables', async () => {
      expect(await rejection({ DATA_DIR: newFolder(), DATABASE_URL: as(`${name}:right`, name) })).toBe(
        `The user "${name}" may not create or change tables in the database "${name}": make the user its owner (alter database ${name} owner to ${name}).`,
      );
    });

    test('the database belongs to another program', async () => {
      await onPostgres(addressOf(postgres, name), (client: Client) =>
        client.query('create table users (login text)'),
      );
      expect(await rejection({ DATA_DIR: newFolder(), DATABASE_URL: as('earshot:', name) })).toBe(
        'The database of DATABASE_URL belongs to another program (it has a table "users" and no "schema_migrations"): set DATABASE_URL or DATA_DIR to one of Earshot\'s own.',
      );
    });
  },
);

describe('an unusable secret is reported in one sentence', () => {
  test.skipIf(!isRoot)('the key file may not be read', async () => {
    const folder = databaseBytes();
    for (const path of [folder, join(folder, 'earshot.db')]) chmodSync(path, 0o777);
    writeFileSync(join(folder, 'secret.key'), Buffer.alloc(32, 1), { mode: 0o600 });
    expect(await rejection({ DATA_DIR: folder }, { asNobody: true })).toMatch(
      `${join(folder, 'secret.key')} cannot be written by this user`,
    );
  });
});

test('every mistake of the environment is reported with its variable', async () => {
  const { code, said } = await endOf({
    DATA_DIR: newFolder(),
    HOST: 'http://localhost',
    PORT: '99999',
    DATABASE_URL: 'postgres://ann:a#b@host/ear',
    SECRET_KEY_FILE: '/no/such/file',
    SMTP_URL: 'smtp://ann:100%@mail.example',
    MAIL_FROM: 'a@b.example',
  });
  expect(code).toBe(78);
  expect(said.split('\n')).toEqual([
    'The configuration has 5 mistakes:',
    '  HOST must be an address or a host name, without http:// and without a path',
    '  PORT must be at most 65535',
    expect.stringContaining('  DATABASE_URL must be a complete address'),
    expect.stringContaining('  SMTP_URL must be a complete address'),
    '  SECRET_KEY_FILE names a file that cannot be read: /no/such/file (ENOENT)',
  ]);
});
