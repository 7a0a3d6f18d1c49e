import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onPostgres } from '#tests/support/on-postgres.ts';
import { postgresOnSmallDisk } from '#tests/support/postgres-on-small-disk.ts';
import { emptyPostgres, launchOn, storeSpeechAs, userOf } from '#tests/support/recorded-server.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

/** Writes a file of settings. */
function settingsOf(variables: Record<string, string>): string {
  const path = join(newFolder(), 'new.env');
  const lines = Object.entries(variables).map(([name, value]) => `${name}="${value}"\n`);
  writeFileSync(path, lines.join(''));
  return path;
}

/** Returns the one-line message with which the command fails. */
async function rejectionOf(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const { code, output } = await runEarshot(environment, ...words);
  expect({ code, lines: output.split('\n').length, output }).toMatchObject({ code: 2, lines: 1 });
  return output;
}

test('rejects settings that cannot be read, or that name no object store', async () => {
  const folder = newFolder();
  expect(await rejectionOf({ DATA_DIR: folder }, 'move', join(folder, 'none'))).toContain(
    'cannot be read (ENOENT)',
  );
  expect(await rejectionOf({ DATA_DIR: folder }, 'move', settingsOf({ PORT: '1' }))).toContain(
    'has no object store',
  );
});

describe.skipIf(!hasS3 || !hasPostgres)('with PostgreSQL and an object store', () => {
  const bucket = testBucket();

  async function oldServer(newDatabaseUrl?: string) {
    const server = await launchOn(newFolder());
    const { client } = await userOf(server);
    await storeSpeechAs(client, 'Harbour');
    const changed = {
      ...bucket.environment(),
      STORAGE_URL: bucket.environment()['STORAGE_URL'] ?? '',
      DATABASE_URL: newDatabaseUrl ?? (await emptyPostgres()),
      SECRET_KEY: `base64:${readFileSync(join(server.dataDir, 'secret.key')).toString('base64')}`,
    };
    return { server, client, place: { DATA_DIR: server.dataDir }, changed };
  }

  test('names what is wrong with the new place, and what to do', async () => {
    const { place, changed } = await oldServer();
    const rejection = (different: Record<string, string>): Promise<string> =>
      rejectionOf(place, 'move', settingsOf({ ...changed, ...different }));
    expect(await rejection({ SECRET_KEY: 'x'.repeat(40) })).toContain(
      `set it to "base64:" followed by the output of "base64 -w0 ${join(place.DATA_DIR, 'secret.key')}"`,
    );
    expect(await rejection({ STORAGE_URL: changed.STORAGE_URL.replace('earshot', 'other') })).toContain(
      'has no bucket "other": create it, or correct STORAGE_URL.',
    );
    expect(await rejection({ S3_SECRET_ACCESS_KEY: 'another' })).toContain('correct S3_ACCESS_KEY_ID');
    expect(
      await rejection({ STORAGE_URL: `s3://earshot/?endpoint=${encodeURIComponent('http://127.0.0.1:1')}` }),
    ).toContain('The object store of STORAGE_URL does not respond');
    expect(await rejection({ DATABASE_URL: 'postgres://earshot@127.0.0.1:1/ear' })).toContain(
      'PostgreSQL does not respond at 127.0.0.1:1',
    );
    const used = await emptyPostgres();
    await userOf(await launchOn(newFolder(), { DATABASE_URL: used }));
    expect(await rejection({ DATABASE_URL: used })).toContain('The database of the new place is not empty');
  });

  test('rejects a second move or restore into a database while one is running', async () => {
    const { place, changed } = await oldServer();
    const target = newFolder();
    expect((await runEarshot(place, 'backup', target, '--with-key')).code).toBe(0);
    const url = changed.DATABASE_URL;
    await onPostgres(url, async (running) => {
      await running.query('select pg_advisory_lock(20361205)');
      const words = 'Another restore or move into the database of DATABASE_URL is running';
      expect(await rejectionOf(place, 'move', settingsOf(changed))).toContain(words);
      expect(await rejectionOf({ DATA_DIR: newFolder(), DATABASE_URL: url }, 'restore', target)).toContain(
        words,
      );
    });
    expect((await runEarshot(place, 'move', settingsOf(changed))).code).toBe(0);
  });

  test('does not continue in another bucket, and continues after an outage', async () => {
    const { place, changed } = await oldServer();
    const settings = settingsOf(changed);
    expect((await runEarshot(place, 'move', settings)).code).toBe(0);
    // Some tails may have become objects already; here all have, in another bucket.
    await onPostgres(changed.DATABASE_URL, async (client) => {
      await client.query("update blob_objects set name = 'lost/' || name");
      await client.query(
        `insert into blob_objects (blob_id, at_byte, size_bytes, name) select id, 0, size_bytes, 'made-up/' || id from blobs
          where not exists (select from blob_objects where blob_id = id)`,
      );
    });
    expect(await rejectionOf(place, 'move', settings)).toContain(
      'The database names objects that the bucket and prefix of STORAGE_URL do not have',
    );
    await onPostgres(changed.DATABASE_URL, async (client) => {
      await client.query("delete from blob_objects where name like 'made-up/%'");
      await client.query("update blob_objects set name = substr(name, 6) where name like 'lost/%'");
    });
    await bucket.server().stop();
    const during = await runEarshot(place, 'move', settings);
    await bucket.server().start();
    expect(during).toMatchObject({
      code: 2,
      output: expect.stringContaining('does not respond') as string,
    });
    expect((await runEarshot(place, 'move', settings)).code).toBe(0);
  });

  test('reports that the disk of PostgreSQL is full, and continues once there is space', async ({ skip }) => {
    const postgres = await postgresOnSmallDisk(skip);
    const { server, client, place, changed } = await oldServer(postgres.url);
    const settings = settingsOf(changed);
    const filler = postgres.fill();
    expect(await rejectionOf(place, 'move', settings)).toMatch(
      /PostgreSQL at \S+ .* full: free some space there/,
    );
    rmSync(filler);
    expect((await runEarshot(place, 'move', settings)).code).toBe(0);

    await storeSpeechAs(client, 'Mountain');
    postgres.fill();
    // A line before may say that moving bytes on to the object store fails too.
    expect(await runEarshot(place, 'move', settings)).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        /^(Bytes cannot .*\n)?.*PostgreSQL at \S+ .*full: free some space there, .*$/,
      ) as string,
    });
    rmSync(filler);
    expect((await runEarshot(place, 'move', settings)).code).toBe(0);
    await server.end('SIGTERM');
    expect(await runEarshot(place, 'move', settings, '--finish')).toMatchObject({
      code: 0,
      output: expect.stringContaining('The move is complete') as string,
    });
  });

  test('continues the backups of the old place, which makes no more', async () => {
    const { server, place, changed } = await oldServer();
    const target = newFolder();
    expect((await runEarshot(place, 'backup', target)).code).toBe(0);
    await server.end('SIGTERM');
    const settings = settingsOf(changed);
    expect((await runEarshot(place, 'move', settings)).code).toBe(0);
    expect((await runEarshot(place, 'move', settings, '--finish')).code).toBe(0);
    expect(await rejectionOf(place, 'move', settings, '--finish')).toContain(
      'moved before, and the move is complete',
    );
    for (const words of [['backup', target], ['disable', 'ann@example.org'], ['reindex']])
      expect(await rejectionOf(place, ...words)).toContain('were moved to');
    const moved = { DATA_DIR: newFolder(), ...changed };
    expect((await runEarshot(moved, 'backup', target)).code).toBe(0);
    expect(await runEarshot({}, 'backups', target, '--json')).toMatchObject({
      code: 0,
      output: expect.stringContaining('"continues":"') as string,
    });
  });
});
