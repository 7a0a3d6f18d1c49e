import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { appendAll, startTake, type ApiClient, type OpenTake } from '#tests/support/api-client.ts';
import { storeUser } from '#tests/support/factories.ts';
import {
  launchOn,
  playedBytes,
  recordingsOf,
  storeSpeechAs,
  userOf,
} from '#tests/support/recorded-server.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';

/**
 * Appends to a running take until it is stopped. `ackedBytes` is the size that the server has acknowledged so far.
 */
function keepRecording(client: ApiClient, take: OpenTake) {
  const state = { ackedBytes: 0, isStopped: false };
  const piece = Buffer.alloc(2000, 5);
  const ended = (async () => {
    while (!state.isStopped) {
      await appendAll(
        client,
        { uploadId: take.audioId, token: take.token },
        { bytes: Buffer.alloc(state.ackedBytes + piece.length, 5), fromByte: state.ackedBytes },
      );
      state.ackedBytes += piece.length;
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

test('starts from a backup made while a take was being recorded, and plays everything stored before it', async () => {
  const server = await launchOn(newFolder());
  const { client, user } = await userOf(server);
  const stored = [await storeSpeechAs(client, 'Harbour'), await storeSpeechAs(client, 'Witness')];
  const take = await startTake(client, 'Running');
  const recording = keepRecording(client, take);
  await vi.waitFor(
    () => {
      expect(recording.state.ackedBytes).toBeGreaterThan(20_000);
    },
    { timeout: 30_000 },
  );
  const ackedBefore = recording.state.ackedBytes;
  const copy = join(newFolder(), 'backup');
  const { code, output } = await server.command('backup', copy);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^\d+ streams were copied to .* and verified, 0 of them are damaged\. It does not contain the secret key/,
    ) as string,
  });
  await recording.stop();
  expect(existsSync(join(copy, 'secret.key'))).toBe(false);
  copyFileSync(join(server.dataDir, 'secret.key'), join(copy, 'secret.key'));
  const restored = await launchOn(copy);
  const { client: again } = await userOf(restored, user);
  expect((await recordingsOf(again)).map(({ title }) => title).sort()).toEqual([
    'Harbour',
    'Running',
    'Witness',
  ]);
  for (const { id, audio } of stored) expect(await playedBytes(again, id)).toEqual(audio);
  const copied = liveAudio(copy, take);
  expect(copied.length).toBeGreaterThanOrEqual(ackedBefore);
  expect(copied).toEqual(liveAudio(server.dataDir, take).subarray(0, copied.length));
});

test('starts from a backup with the key, even one made while no server was running', async () => {
  const server = await launchOn(newFolder());
  const { client, user } = await userOf(server);
  const { id, audio } = await storeSpeechAs(client, 'Harbour');
  await server.end('SIGKILL');
  const copy = join(newFolder(), 'backup');
  expect(await server.command('backup', copy, '--with-key')).toMatchObject({
    code: 0,
    output: expect.stringContaining('It contains the secret key') as string,
  });
  const { client: again } = await userOf(await launchOn(copy), user);
  expect(await playedBytes(again, id)).toEqual(audio);
});

test('reports a changed stream in the backup and exits with 1', async () => {
  const server = await launchOn(newFolder());
  const { client } = await userOf(server);
  const { id } = await storeSpeechAs(client, 'Harbour');
  const path = join(server.dataDir, 'blobs', 'recordings', id, 'audio-0000');
  const bytes = readFileSync(path);
  bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect(await server.command('backup', join(newFolder(), 'backup'))).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${id} audio 0`) as string,
  });
});

const cli = join(import.meta.dirname, '..', 'cli.ts');

/** Returns the one-line message with which the command fails. */
function rejectionOf(environment: Record<string, string>, to: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [cli, 'backup', to],
      { env: { PATH: process.env['PATH'], ...environment } },
      (error, stdout, stderr) => {
        const lines = (stdout + stderr).trim().split('\n');
        if (error?.code === 2 && lines.length === 1) resolve(lines[0] ?? '');
        else reject(new Error(`ended with ${error?.code}: ${stdout}${stderr}`));
      },
    );
  });
}

test('rejects a folder that is not empty, in DATA_DIR, a file or full, and a missing installation', async ({
  skip,
}) => {
  const { dataDir } = await launchOn(newFolder());
  const used = newFolder();
  writeFileSync(join(used, 'letter'), '');
  expect(await rejectionOf({ DATA_DIR: dataDir }, used)).toBe(
    `${used} is not empty: name a new folder for each backup.`,
  );
  expect(await rejectionOf({ DATA_DIR: dataDir }, join(used, 'letter'))).toBe(
    `${join(used, 'letter')} is a file, or lies below one: name a folder.`,
  );
  expect(await rejectionOf({ DATA_DIR: dataDir }, join(dataDir, 'copy'))).toContain(
    `lies in DATA_DIR=${dataDir}`,
  );
  expect(await rejectionOf({ DATA_DIR: join(used, 'none') }, newFolder())).toBe(
    `There is no installation in DATA_DIR=${join(used, 'none')}: set DATA_DIR to the folder that the server uses.`,
  );
  expect(
    await rejectionOf({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://ann@127.0.0.1/ear' }, newFolder()),
  ).toContain('run pg_dump for the database first');
  const disk = smallFileSystem(1);
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  fillUp(disk.directory, 100_000);
  expect(await rejectionOf({ DATA_DIR: dataDir }, join(disk.directory, 'backup'))).toContain(
    `The disk under ${join(disk.directory, 'backup')} is full`,
  );
});

test('stores everything in the database file itself after a moment', async () => {
  const folder = newFolder();
  const database = await openSqliteDatabase({ path: join(folder, 'earshot.db'), checkpointEveryMs: 20 });
  await storeUser(database.queries, { display_name: 'Mira' });
  const copy = join(newFolder(), 'alone.db');
  await vi.waitFor(
    () => {
      copyFileSync(join(folder, 'earshot.db'), copy);
      const alone = new DatabaseSync(copy);
      try {
        expect(alone.prepare('select display_name from users').all()).toEqual([{ display_name: 'Mira' }]);
      } finally {
        alone.close();
      }
    },
    { timeout: 30_000 },
  );
  await database.close();
});
