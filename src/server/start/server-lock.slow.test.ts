import { renameSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { endOf, newFolder, rejection } from '#tests/support/start-server.ts';

async function launch(dataDir: string): Promise<EarshotServer> {
  const server = await EarshotServer.launch({}, dataDir);
  onTestFinished(() => server.dispose());
  return server;
}

test('rejects a second server on a DATA_DIR, under any name of the folder, and names the process that uses it', async () => {
  const folder = newFolder();
  const { pid } = await launch(folder);
  const other = join(newFolder(), 'link');
  symlinkSync(folder, other);
  for (const dataDir of [folder, other]) {
    const sentence = await rejection({ DATA_DIR: dataDir });
    expect(sentence).toContain(`Another Earshot server (process ${pid} on ${hostname()}, started `);
    expect(sentence).toContain(
      `) is already using ${folder}: stop it, or set another DATA_DIR for this one.`,
    );
  }
});

test('rejects a second server on the same database file in another folder', async () => {
  const [first, second] = [newFolder(), newFolder()];
  const server = await launch(first);
  await server.end('SIGTERM');
  renameSync(join(first, 'earshot.db'), join(second, 'earshot.db'));
  symlinkSync(join(second, 'earshot.db'), join(first, 'earshot.db'));
  await server.start();
  expect(await rejection({ DATA_DIR: second })).toContain(`is already using ${second}`);
});

test('runs two servers on one machine in separate folders', async () => {
  const servers = [await launch(newFolder()), await launch(newFolder())];
  expect(await Promise.all(servers.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))).toEqual([
    200, 200,
  ]);
});

test('a rejected server leaves the first one intact', async () => {
  const folder = newFolder();
  const server = await launch(folder);
  expect((await endOf({ DATA_DIR: folder })).code).toBe(75);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect((await endOf({ DATA_DIR: folder })).code).toBe(75);
});
