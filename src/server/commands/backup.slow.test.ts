import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  appendAll,
  playedBytes,
  sha256Hex,
  startTake,
  type ApiClient,
  type OpenTake,
} from '#tests/support/api-client.ts';
import { onPostgres } from '#tests/support/on-postgres.ts';
import {
  emptyPostgres,
  launchOn,
  recordingsOf,
  storeSpeechAs,
  userOf,
} from '#tests/support/recorded-server.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

/**
 * Appends to a running take until it is stopped. `ackedBytes` is the size that the server has acknowledged so far.
 */
function keepRecording(client: ApiClient, take: OpenTake) {
  const state = { ackedBytes: 0, isStopped: false };
  const pieceBytes = 2000;
  const ended = (async () => {
    while (!state.isStopped) {
      await appendAll(
        client,
        { uploadId: take.audioId, token: take.token },
        { bytes: soundBytes(state.ackedBytes + pieceBytes), fromByte: state.ackedBytes },
      );
      state.ackedBytes += pieceBytes;
    }
  })();
  return {
    state,
    stop: () => {
      state.isStopped = true;
      return ended;
    },
  };
}

const liveAudio = (folder: string, take: OpenTake): Buffer =>
  readFileSync(join(folder, 'blobs', 'recordings', take.recordingId, 'audio-0000'));

/** The contents of a folder with backups, by name. */
const contentsIn = (folder: string): string[] =>
  readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('/'),
  );

const snapshotsIn = (folder: string): string[] => readdirSync(join(folder, 'snapshots')).sort();

const databases = ['SQLite', 'PostgreSQL'] as const;
const directions = databases.flatMap((from) => databases.map((to) => ({ from, to })));
/** The variables of an empty database of this kind. */
const emptyDatabase = async (kind: (typeof databases)[number]): Promise<Record<string, string>> =>
  kind === 'SQLite' ? {} : { DATABASE_URL: await emptyPostgres() };

describe.each(directions.filter((each) => hasPostgres || (each.from === 'SQLite' && each.to === 'SQLite')))(
  'from $from to $to',
  ({ from, to }) => {
    test('restores what was stored before a backup that was made while a take was being recorded', async () => {
      const server = await launchOn(newFolder(), await emptyDatabase(from));
      const { client, user } = await userOf(server);
      const stored = [await storeSpeechAs(client, 'Harbour'), await storeSpeechAs(client, 'Witness')];
      const take = await startTake(client, 'Running');
      const recording = keepRecording(client, take);
      await vi.waitFor(() => expect(recording.state.ackedBytes).toBeGreaterThan(20_000), { timeout: 30_000 });
      const ackedBefore = recording.state.ackedBytes;
      const target = newFolder();
      expect(await server.command('backup', target)).toEqual({
        code: 0,
        output: expect.stringMatching(
          /is complete: \d+ files .* It does not contain the secret key/,
        ) as string,
      });
      await recording.stop();
      const dataDir = newFolder();
      copyFileSync(join(server.dataDir, 'secret.key'), join(dataDir, 'secret.key'));
      const environment = { DATA_DIR: dataDir, ...(await emptyDatabase(to)) };
      const restored = await runEarshot(environment, 'restore', target, '--verify');
      expect(restored).toEqual({
        code: 0,
        output: expect.stringMatching(/1 account, 3 recordings, .*\n.* 0 of them differ/) as string,
      });
      expect(await runEarshot(environment, 'verify')).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^\d+ streams verified, 0 damaged$/) as string,
      });
      const { client: again } = await userOf(await launchOn(dataDir, environment), user);
      expect((await recordingsOf(again)).map(({ title }) => title).sort()).toEqual([
        'Harbour',
        'Running',
        'Witness',
      ]);
      for (const { id, audio } of stored) expect(await playedBytes(again, id)).toEqual(audio);
      const found = await again.json('GET', '/api/recordings?search=harb');
      expect(found).toMatchObject({ items: [{ title: 'Harbour' }] });
      const copied = liveAudio(dataDir, take);
      expect(copied.length).toBeGreaterThanOrEqual(ackedBefore);
      expect(copied).toEqual(liveAudio(server.dataDir, take).subarray(0, copied.length));
      // The device still has all of the take, and continues at the length that the restored server names.
      const whole = liveAudio(server.dataDir, take);
      const upload = { uploadId: take.audioId, token: take.token };
      const rejected = await again.append({ ...upload, offsetBytes: whole.length, bytes: Buffer.alloc(1) });
      expect(rejected.status).toBe(409);
      await appendAll(again, upload, { bytes: whole, fromByte: Number(rejected.headers['upload-offset']) });
      expect(liveAudio(dataDir, take)).toEqual(whole);
    });
  },
);

test('copies only what the earlier backups lack, and takes up what an interrupted one had copied', async () => {
  const server = await launchOn(newFolder());
  const { client } = await userOf(server);
  await storeSpeechAs(client, 'Harbour');
  const target = newFolder();
  // An interrupted backup has copied files, but has no manifest.
  await server.command('backup', target);
  const copied = contentsIn(target);
  const [interrupted = ''] = snapshotsIn(target);
  rmSync(join(target, 'snapshots', interrupted, 'manifest.json'));
  mkdirSync(join(target, '.unfinished'), { recursive: true });
  writeFileSync(join(target, '.unfinished', 'part'), 'part of a file');
  for (const round of [1, 2]) {
    const { code, output } = await server.command('backup', target);
    expect({ round, code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining('of which 0 (0 bytes) were new') as string,
    });
  }
  expect(contentsIn(target)).toEqual(copied);
  expect(snapshotsIn(target)).toHaveLength(2);
  expect(snapshotsIn(target)).not.toContain(interrupted);
  expect(existsSync(join(target, '.unfinished', 'part'))).toBe(false);
  const listed = await server.command('backups', target, '--verify');
  expect(listed.code).toBe(0);
  expect(listed.output).toMatch(
    /0 of them are missing or damaged\.\n\S+ {2}0 min old {2}.*verified 0 min ago {2}authentic {2}from .*\n\S+ {2}.*not verified {2}authentic {2}from .*\n$/,
  );
});

test('reports a changed stream in the backup and exits with 1', async () => {
  const server = await launchOn(newFolder());
  const { client } = await userOf(server);
  const { id } = await storeSpeechAs(client, 'Harbour');
  const path = join(server.dataDir, 'blobs', 'recordings', id, 'audio-0000');
  const bytes = readFileSync(path);
  bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect(await server.command('backup', newFolder())).toMatchObject({
    code: 1,
    output: expect.stringContaining('1 of the files do not match their receipts') as string,
  });
});

/** Returns the one-line message with which the command fails. */
async function rejectionOf(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const { code, output } = await runEarshot(environment, ...words);
  expect({ code, lines: output.split('\n').length, output }).toMatchObject({ code: 2, lines: 1 });
  return output;
}

test.skipIf(!existsSync('/proc/self'))('rejects a place for backups that cannot be created', async () => {
  const { dataDir } = await launchOn(newFolder());
  expect(await rejectionOf({ DATA_DIR: dataDir }, 'backup', '/proc/none/backups')).toMatch(
    /^The folder \/proc\/none cannot be created: /,
  );
});

test('rejects a place for backups with other files, in DATA_DIR, that is a file or full, and a missing installation', async ({
  skip,
}) => {
  const { dataDir } = await launchOn(newFolder());
  const used = newFolder();
  writeFileSync(join(used, 'letter'), '');
  const environment = { DATA_DIR: dataDir };
  expect(await rejectionOf(environment, 'backup', used)).toBe(
    `${used} has other files: use an empty folder, or one that already has backups.`,
  );
  expect(await rejectionOf(environment, 'backup', join(used, 'letter'))).toBe(
    `${join(used, 'letter')} is a file, or lies below one: name a folder.`,
  );
  expect(await rejectionOf(environment, 'backup', join(dataDir, 'copy'))).toContain(
    `is inside DATA_DIR=${dataDir}`,
  );
  expect(await rejectionOf({ DATA_DIR: join(used, 'none') }, 'backup', newFolder())).toBe(
    `There is no installation in DATA_DIR=${join(used, 'none')}: set DATA_DIR to the folder that the server uses.`,
  );
  expect(await rejectionOf({}, 'backups', used)).toContain(`There are no backups in ${used}`);
  const disk = smallFileSystem(1);
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  fillUp(disk.directory, 100_000);
  const inDisk = join(disk.directory, 'backup');
  expect(await rejectionOf(environment, 'backup', inDisk)).toContain(`The disk under ${inDisk} is full`);
  const database = new DatabaseSync(join(dataDir, 'earshot.db'), { readOnly: true });
  const attempt = database.prepare("select error from backups where state = 'failed'").get();
  database.close();
  expect(attempt?.['error']).toContain(`The disk under ${inDisk} is full`);
});

test('rejects a restore into what is not empty, without the right key, from damaged or newer backups', async () => {
  const server = await launchOn(newFolder());
  const { client } = await userOf(server);
  await storeSpeechAs(client, 'Harbour');
  const target = newFolder();
  await server.command('backup', target);
  const [id = ''] = snapshotsIn(target);
  const snapshot = join(target, 'snapshots', id);
  await server.end('SIGTERM');
  expect(await rejectionOf({ DATA_DIR: server.dataDir }, 'restore', target)).toContain(
    'a backup can only be restored into an empty installation',
  );
  const dataDir = newFolder();
  const key = join(dataDir, 'secret.key');
  expect(await rejectionOf({ DATA_DIR: dataDir }, 'restore', target)).toMatch(
    /does not contain the secret key \(fingerprint [0-9a-f]{16}\)/,
  );
  writeFileSync(key, Buffer.alloc(32, 1));
  expect(await rejectionOf({ DATA_DIR: dataDir }, 'restore', target)).toContain(
    `The secret key ${key} (fingerprint `,
  );
  copyFileSync(join(server.dataDir, 'secret.key'), key);
  const change = async (path: string, edit: (bytes: Buffer) => Buffer, expected: string): Promise<void> => {
    const before = readFileSync(path);
    writeFileSync(path, edit(Buffer.from(before)));
    expect(await rejectionOf({ DATA_DIR: dataDir }, 'restore', target)).toContain(expected);
    writeFileSync(path, before);
  };
  const flip = (bytes: Buffer): Buffer => {
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    return bytes;
  };
  await change(join(snapshot, 'manifest.json'), flip, 'manifest.json is damaged');
  const forged = (bytes: Buffer): Buffer => {
    const { content, mac } = JSON.parse(bytes.toString()) as { content: object; mac: string };
    const changed = { ...content, hasKey: true };
    return Buffer.from(
      JSON.stringify({ content: changed, sha256: sha256Hex(Buffer.from(JSON.stringify(changed))), mac }),
    );
  };
  await change(join(snapshot, 'manifest.json'), forged, 'was changed by somebody without the secret key');
  await change(join(snapshot, 'tables', 'users.jsonl.gz'), flip, 'users.jsonl.gz is damaged');
  const newer = (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString().replace('"format": 1', '"format": 3'));
  await change(join(snapshot, 'manifest.json'), newer, 'was made by a newer version of Earshot');
  const [content = ''] = contentsIn(target);
  await change(join(target, 'blobs', content), flip, 'is damaged (recordings/');
  // What was written before stays, so that the next command continues.
  const whole = readFileSync(join(target, 'blobs', content));
  rmSync(join(target, 'blobs', content));
  expect(await rejectionOf({ DATA_DIR: dataDir }, 'restore', target)).toContain('is missing (recordings/');
  expect((await runEarshot({ DATA_DIR: dataDir }, 'restore', target, '--skip-damaged')).code).toBe(1);
  writeFileSync(join(target, 'blobs', content), whole);
  expect(await rejectionOf({ DATA_DIR: dataDir }, 'restore', target)).toContain('into an empty installation');
});

test('refuses the backups of a restored copy into the folder of its original until --adopt', async () => {
  const server = await launchOn(newFolder());
  await storeSpeechAs((await userOf(server)).client, 'Harbour');
  const target = newFolder();
  await server.command('backup', target, '--with-key');
  const copy = { DATA_DIR: newFolder() };
  expect((await runEarshot(copy, 'restore', target)).code).toBe(0);
  expect(await rejectionOf(copy, 'backup', target)).toMatch(
    /has backups of another copy of this installation .* restored from a backup.* --adopt" once/,
  );
  expect((await runEarshot(copy, 'backup', target, '--adopt')).code).toBe(0);
  expect((await runEarshot(copy, 'backup', target)).code).toBe(0);
  expect((await server.command('backup', target)).code).toBe(0);
  const { output } = await runEarshot({ DATA_DIR: newFolder() }, 'backups', target);
  expect(output).toContain('MAC not checked: another secret key, or none here');
  for (const dataDir of [server.dataDir, copy.DATA_DIR])
    expect(output.split('\n').filter((line) => line.endsWith(`, ${dataDir}`))).toHaveLength(2);
  expect(await rejectionOf({ DATA_DIR: newFolder() }, 'restore', target)).toContain('--snapshot');
});

test('restores into a database without rows, and refuses one with rows', async () => {
  const server = await launchOn(newFolder());
  await userOf(server);
  const target = newFolder();
  await server.command('backup', target, '--with-key');
  const empty = { DATA_DIR: newFolder() };
  expect((await runEarshot(empty, 'migrate')).code).toBe(0);
  expect(await runEarshot(empty, 'restore', target)).toMatchObject({
    code: 0,
    output: expect.stringContaining('brought its own secret key') as string,
  });
  expect(await rejectionOf(empty, 'restore', target)).toContain('earshot.db has rows');
});

test('compares the free space with the size of the backup before a restore writes anything', async ({
  skip,
}) => {
  const server = await launchOn(newFolder());
  await storeSpeechAs((await userOf(server)).client, 'Harbour');
  const target = newFolder();
  await server.command('backup', target, '--with-key');
  const disk = smallFileSystem(1);
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  fillUp(disk.directory, 8000);
  const dataDir = join(disk.directory, 'data');
  expect(await rejectionOf({ DATA_DIR: dataDir }, 'restore', target)).toMatch(
    /is too small: the backup needs|is full/,
  );
  expect(existsSync(join(dataDir, 'restoring.json'))).toBe(false);
});

test('ends a restore onto a disk that becomes full with a sentence, and continues it when there is space', async ({
  skip,
}) => {
  const server = await launchOn(newFolder());
  const target = newFolder();
  await userOf(server);
  await server.command('backup', target, '--with-key');
  const disk = smallFileSystem(1);
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  const filler = fillUp(disk.directory, 300_000);
  const environment = { DATA_DIR: join(disk.directory, 'data') };
  expect(await rejectionOf(environment, 'restore', target)).toContain('is full');
  await expect(launchOn(environment.DATA_DIR)).rejects.toThrow(
    /The restore of the backup .* was interrupted/,
  );
  // The same command continues on the spot once there is space.
  rmSync(filler);
  execFileSync('/bin/mount', ['-o', 'remount,size=64m', disk.directory]);
  expect(await runEarshot(environment, 'restore', target, '--verify')).toMatchObject({ code: 0 });
});

test('does not start the server on an installation that was restored only in part', async () => {
  const dataDir = newFolder();
  writeFileSync(join(dataDir, 'restoring.json'), JSON.stringify({ backup: 'of-yesterday' }));
  await expect(launchOn(dataDir)).rejects.toThrow('The restore of the backup of-yesterday');
});

describe.each(databases.filter((kind) => hasPostgres || kind === 'SQLite'))(
  'an interrupted restore into %s',
  (kind) => {
    /** A restore that has written files and no rows, because one file of the backup was missing. */
    async function interrupted() {
      const server = await launchOn(newFolder());
      const { client, user } = await userOf(server);
      await storeSpeechAs(client, 'Harbour');
      const target = newFolder();
      await server.command('backup', target, '--with-key');
      const variables = await emptyDatabase(kind);
      const dataDir = newFolder();
      const environment: Record<string, string> = { DATA_DIR: dataDir, ...variables };
      const content = join(target, 'blobs', contentsIn(target)[0] ?? '');
      renameSync(content, `${content}.away`);
      expect(await rejectionOf(environment, 'restore', target)).toContain('is missing');
      renameSync(`${content}.away`, content);
      return { target, user, variables, environment, dataDir };
    }

    test('starts no server until it is repeated, which restores the accounts', async () => {
      const { target, user, variables, environment, dataDir } = await interrupted();
      const elsewhere = kind === 'SQLite' ? dataDir : newFolder();
      await expect(launchOn(elsewhere, variables)).rejects.toThrow('run "earshot restore" again');
      expect(await runEarshot(environment, 'restore', target)).toMatchObject({
        code: 0,
        output: expect.stringContaining('1 account, 1 recording') as string,
      });
      const { client } = await userOf(await launchOn(dataDir, environment), user);
      expect((await recordingsOf(client)).map(({ title }) => title)).toEqual(['Harbour']);
    });

    test('is not continued in a database that has other rows by now', async () => {
      const { target, environment, dataDir } = await interrupted();
      const insert = "insert into installation (name, value) values ('a', 'b')";
      if (kind === 'SQLite') {
        const database = new DatabaseSync(join(dataDir, 'earshot.db'));
        database.exec(insert);
        database.close();
      } else await onPostgres(environment['DATABASE_URL'] ?? '', (client) => client.query(insert));
      expect(await rejectionOf(environment, 'restore', target)).toContain('is not empty');
    });
  },
);

describe.skipIf(!hasS3)('in a bucket', () => {
  const bucket = testBucket();
  const placeOf = (prefix: string): string =>
    (bucket.environment()['STORAGE_URL'] ?? '').replace('/test?', `/${prefix}?`);
  const keys = () => ({
    BACKUP_S3_ACCESS_KEY_ID: bucket.environment()['S3_ACCESS_KEY_ID'] ?? '',
    BACKUP_S3_SECRET_ACCESS_KEY: bucket.environment()['S3_SECRET_ACCESS_KEY'] ?? '',
  });

  test('makes, verifies and restores a backup, and copies only what is new', async () => {
    const server = await launchOn(newFolder());
    const { client, user } = await userOf(server);
    const { id, audio } = await storeSpeechAs(client, 'Harbour');
    const environment = { DATA_DIR: server.dataDir, ...keys() };
    const place = placeOf('whole');
    expect(await runEarshot(environment, 'backup', place, '--with-key')).toMatchObject({ code: 0 });
    expect(await runEarshot(environment, 'backup', place, '--with-key')).toMatchObject({
      code: 0,
      output: expect.stringContaining('of which 0 (0 bytes) were new') as string,
    });
    expect(await runEarshot(keys(), 'backups', place, '--verify')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 of them are missing or damaged') as string,
    });
    const restored = { DATA_DIR: newFolder(), ...keys() };
    expect(await runEarshot(restored, 'restore', place, '--verify')).toMatchObject({ code: 0 });
    const { client: again } = await userOf(await launchOn(restored.DATA_DIR), user);
    expect(await playedBytes(again, id)).toEqual(audio);
  });

  test('names what is wrong with the bucket, and what to do', async () => {
    const { dataDir } = await launchOn(newFolder());
    const rejection = (place: string, environment: Record<string, string> = {}): Promise<string> =>
      rejectionOf({ DATA_DIR: dataDir, ...keys(), ...environment }, 'backup', place);
    expect(await rejection(placeOf('x').replace('earshot', 'other'))).toContain(
      'has no bucket "other": create it, or correct s3://other/x.',
    );
    expect(await rejection(placeOf('x'), { BACKUP_S3_SECRET_ACCESS_KEY: 'another' })).toContain(
      'correct BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY',
    );
    expect(await rejection('s3://earshot/x?endpoint=http%3A%2F%2F127.0.0.1%3A1')).toContain(
      'The object store of s3://earshot/x does not respond',
    );
    expect(await rejection('s3://X')).toContain('must name a bucket');
    expect(await rejection('ftp://host/x')).toContain('is not supported for backups');
    expect(await rejectionOf(keys(), 'backups', placeOf('none'))).toContain(
      'There are no backups in s3://earshot/none',
    );
    const recordings = {
      ...bucket.environment(),
      DATABASE_URL: 'postgres://ann@127.0.0.1:1/ear',
      SECRET_KEY: 'x'.repeat(32),
    };
    const otherSpelling = placeOf('test').replace(/endpoint=[^&]+/, '$&%2F');
    for (const place of [placeOf('test'), placeOf('test/backups'), placeOf(''), otherSpelling])
      expect(await rejection(place, recordings)).toContain(
        'and STORAGE_URL, where the recordings are, overlap',
      );
  });
});
