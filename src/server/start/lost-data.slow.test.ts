import { copyFileSync, cpSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playedBytes } from '#tests/support/api-client.ts';
import { copyFilesBelow } from '#tests/support/files-below.ts';
import {
  launchOn,
  onBothDatabases,
  recordingsOf,
  storeSpeechAs,
  userOf,
} from '#tests/support/recorded-server.ts';
import { newFolder, rejection } from '#tests/support/start-server.ts';

describe('a lost database or lost files', () => {
  test('rejects, unchanged, a database copied without its write-ahead log, and plays everything with it', async () => {
    const original = newFolder();
    const server = await launchOn(original);
    const { client, user } = await userOf(server);
    const { id, audio } = await storeSpeechAs(client, 'Harbour');
    const copy = newFolder();
    copyFilesBelow(join(original, 'blobs'), join(copy, 'blobs'));
    for (const name of ['secret.key', 'earshot.db']) copyFileSync(join(original, name), join(copy, name));
    const before = statSync(join(copy, 'earshot.db')).mtimeMs;
    expect(await rejection({ DATA_DIR: copy })).toBe(
      `The database ${join(copy, 'earshot.db')} is missing or has no recordings, but DATA_DIR=${copy} stores 1: copy ${join(copy, 'earshot.db')} and ${join(copy, 'earshot.db')}-wal there again, or restore a backup; to abandon this recording, set FORGET_RECORDINGS=1.`,
    );
    expect(statSync(join(copy, 'earshot.db')).mtimeMs).toBe(before);
    copyFileSync(join(original, 'earshot.db-wal'), join(copy, 'earshot.db-wal'));
    const { client: again } = await userOf(await launchOn(copy), user);
    expect(await playedBytes(again, id)).toEqual(audio);
  });

  test('rejects a missing database, leaves its log in place, and starts once the loss is confirmed', async () => {
    const folder = newFolder();
    const server = await launchOn(folder);
    const { client } = await userOf(server);
    await storeSpeechAs(client, 'Harbour');
    await server.end('SIGKILL');
    rmSync(join(folder, 'earshot.db'));
    const logBytes = statSync(join(folder, 'earshot.db-wal')).size;
    expect(await rejection({ DATA_DIR: folder })).toContain('is missing or has no recordings');
    expect(await rejection({ DATA_DIR: folder, FORGET_RECORDINGS: '2' })).toContain(
      'set FORGET_RECORDINGS=1',
    );
    expect(statSync(join(folder, 'earshot.db-wal')).size).toBe(logBytes);
    const { client: fresh } = await userOf(await launchOn(folder, { FORGET_RECORDINGS: '1' }));
    expect(await recordingsOf(fresh)).toEqual([]);
  });

  onBothDatabases((environment) => {
    test('rejects an empty database in place of the configured one', async () => {
      const folder = newFolder();
      const server = await launchOn(folder, await environment());
      await storeSpeechAs((await userOf(server)).client, 'Harbour');
      await server.end('SIGTERM');
      rmSync(join(folder, 'earshot.db'), { force: true });
      expect(await rejection({ DATA_DIR: folder, ...(await environment()) })).toContain(
        'is missing or has no recordings',
      );
    });

    test('rejects missing files too: lost ones, or ones on a disk that is not mounted', async () => {
      const [folder, env] = [newFolder(), await environment()];
      const server = await launchOn(folder, env);
      const { client, user } = await userOf(server);
      const { id, audio } = await storeSpeechAs(client, 'Harbour');
      await server.end('SIGTERM');
      const elsewhere = join(newFolder(), 'blobs');
      renameSync(join(folder, 'blobs'), elsewhere);
      expect(await rejection({ DATA_DIR: folder, ...env })).toBe(
        `The database lists 1 stored recording, but DATA_DIR=${folder} has none of the files: mount the disk with ${join(folder, 'blobs')}, correct DATA_DIR or STORAGE_URL, or restore the files from a backup; to abandon the audio, set FORGET_RECORDINGS=1.`,
      );
      const confirmed = await launchOn(folder, { ...env, FORGET_RECORDINGS: '1' });
      await confirmed.end('SIGTERM');
      rmSync(join(folder, 'blobs'), { recursive: true });
      cpSync(elsewhere, join(folder, 'blobs'), { recursive: true });
      const { client: again } = await userOf(await launchOn(folder, env), user);
      expect(await playedBytes(again, id)).toEqual(audio);
    });

    test('accepts an installation whose user has deleted every recording', async () => {
      const [folder, env] = [newFolder(), await environment()];
      const server = await launchOn(folder, env);
      const { client } = await userOf(server);
      const { id } = await storeSpeechAs(client, 'Harbour');
      await client.json('DELETE', `/api/recordings/${id}`);
      await client.json('POST', `/api/recordings/${id}/purge`);
      expect(await recordingsOf(client)).toEqual([]);
      await server.end('SIGKILL');
      await server.start();
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    });
  });
});

onBothDatabases((environment) => {
  describe('a secret key that does not match the database', () => {
    test('is rejected with the consequences if missing, replaced or overridden; the old key still works', async () => {
      const [folder, env] = [newFolder(), await environment()];
      const server = await launchOn(folder, env);
      await server.end('SIGTERM');
      const key = join(folder, 'secret.key');
      const copy = join(newFolder(), 'secret.key');
      copyFileSync(key, copy);
      rmSync(key);
      const missing = await rejection({ DATA_DIR: folder, ...env });
      expect(missing).toMatch(
        new RegExp(
          `^The secret key ${key}, which this database needs, is missing: put your copy of it there; to continue without it \\(links that were mailed stop working, and 0 accounts have two-step sign-in, .*\\), set FORGET_SECRET_KEY=[0-9a-f]{16}\\.$`,
        ),
      );
      expect(statSync(key, { throwIfNoEntry: false })).toBeUndefined();
      expect(
        await rejection({
          DATA_DIR: folder,
          SECRET_KEY: 'another secret of more than 32 characters',
          ...env,
        }),
      ).toContain('The secret key SECRET_KEY is not the one that this database needs');
      writeFileSync(key, Buffer.alloc(32, 9));
      expect(await rejection({ DATA_DIR: folder, ...env })).toContain(
        `The secret key ${key} is not the one that this database needs`,
      );
      copyFileSync(copy, key);
      await server.start();
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    });

    test('is accepted once the old one is abandoned, without further confirmation', async () => {
      const [folder, env] = [newFolder(), await environment()];
      const server = await launchOn(folder, env);
      await server.end('SIGTERM');
      rmSync(join(folder, 'secret.key'));
      const fingerprint =
        /FORGET_SECRET_KEY=([0-9a-f]+)/.exec(await rejection({ DATA_DIR: folder, ...env }))?.[1] ?? '';
      const accepted = await launchOn(folder, { ...env, FORGET_SECRET_KEY: fingerprint });
      await accepted.end('SIGTERM');
      await server.start();
      await server.end('SIGTERM');
      rmSync(join(folder, 'secret.key'));
      expect(await rejection({ DATA_DIR: folder, ...env, FORGET_SECRET_KEY: fingerprint })).toContain(
        'is missing',
      );
    });
  });
});
