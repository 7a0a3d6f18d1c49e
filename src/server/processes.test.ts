import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { playedBytes } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { launchOn, storeSpeechAs, userOf } from '#tests/support/recorded-server.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { newFolder, rejection } from '#tests/support/start-server.ts';

// One test for each of what the server and its commands do as processes. The files `*.slow.test.ts` of this folder and
// below have all of it.

test('a killed server leaves nothing that blocks the next one', async () => {
  const server = await EarshotServer.launch({}, newFolder());
  onTestFinished(() => server.dispose());
  await server.end('SIGKILL');
  await server.start();
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test('says after SIGTERM that it is not ready, and still answers', async () => {
  const server = await EarshotServer.launch({ DRAIN_MS: '100000' }, newFolder());
  onTestFinished(() => server.dispose());
  process.kill(server.pid ?? 0, 'SIGTERM');
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  // A second signal ends it at once.
  await server.end('SIGTERM');
});

test('reports a damaged key file in one sentence, and exits with 1', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'secret.key'), 'short');
  expect(await rejection({ DATA_DIR: folder })).toMatch(
    `${join(folder, 'secret.key')} is damaged (it must have 32 bytes): put your copy of it there`,
  );
});

test('starts from a backup with the key, even one made while no server was running', async () => {
  const server = await launchOn(newFolder());
  const { client, user } = await userOf(server);
  const { id, audio } = await storeSpeechAs(client, 'Harbour');
  await server.end('SIGKILL');
  const target = newFolder();
  expect(await server.command('backup', target, '--with-key')).toMatchObject({
    code: 0,
    output: expect.stringContaining('It contains the secret key') as string,
  });
  const dataDir = newFolder();
  expect(await runEarshot({ DATA_DIR: dataDir }, 'restore', target)).toMatchObject({ code: 0 });
  const { client: again } = await userOf(await launchOn(dataDir), user);
  expect(await playedBytes(again, id)).toEqual(audio);
});

test('says that a disk can be used, beside a running server', async () => {
  const server = await launchOn(newFolder());
  const { code, output } = await server.command('doctor', '--storage');
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^ok {6}stores and syncs a file in DATA_DIR\/blobs \(\d+ of \d+ MiB are free\)\nThe store has everything/,
    ) as string,
  });
});
