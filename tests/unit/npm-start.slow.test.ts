import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { residentMiB } from '../../bench/process-cpu.ts';
import { hour } from '#base/duration.ts';
import { buildWeb } from '#scripts/build-web.ts';
import { processTree } from '#tests/faults/world/process-tree.ts';
import { filesBelow } from '#tests/support/files-below.ts';
import {
  copyProduct,
  listingOf,
  mountReadOnly,
  npmStart,
  writableFolder,
} from '#tests/support/product-copy.ts';

// Runs the README's commands on a copy of the product, with the packages of `npm ci --omit=dev`, as a user who
// owns none of its files.

const isLinux = process.platform === 'linux';

const lastLineOf = (output: string): string | undefined => output.trim().split('\n').at(-1);

beforeAll(async () => {
  await buildWeb();
}, hour);

test(
  '`npm start` of a built app needs no development dependency and writes nothing outside DATA_DIR',
  async () => {
    const directory = copyProduct({ packages: 'production', isBuilt: true });
    const before = listingOf(directory);
    const { url, ready, stop, ended } = await npmStart(directory, { DATA_DIR: writableFolder() });
    await ready;
    expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain(
      '<!doctype html>',
    );
    stop();
    await ended;
    expect(listingOf(directory)).toEqual(before);
  },
  hour,
);

test('`npm start` of a built app runs from a read-only folder', async ({ skip }) => {
  const directory = copyProduct({ packages: 'production', isBuilt: true });
  if (!mountReadOnly(directory)) skip('this machine allows no mounting');
  const { url, ready } = await npmStart(directory, { DATA_DIR: writableFolder() });
  await ready;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test(
  '`npm start` of a fresh clone says what it does, builds the app and starts, and keeps no memory of the build',
  async ({ skip }) => {
    const directory = copyProduct({ packages: 'all', isBuilt: false });
    const { url, ready, startProcessId, stop, ended } = await npmStart(directory, {}, { asOwner: true });
    await ready;
    expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain(
      '<!doctype html>',
    );
    expect(listingOf(directory).some((line) => line.startsWith('data/earshot.db '))).toBe(true);
    const residentBytes = isLinux ? residentMiB(startProcessId()) * 1024 * 1024 : null;
    stop();
    const lines = (await ended).output.trim().split('\n');
    expect(lines).toContain('Building the web app. This takes about a minute, once per version.');
    for (const step of ['Compile the app', 'Compress the files', 'Prerender the pages'])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ {2}${step}: \\d+ s$`)));
    if (residentBytes === null) skip('memory can be measured on Linux only');
    expect(residentBytes).toBeLessThanOrEqual(100e6);
  },
  hour,
);

test.runIf(isLinux).each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a build ends when `npm start` gets %s',
  async (signal) => {
    const directory = copyProduct({ packages: 'all', isBuilt: false });
    const { printed, startProcessId } = await npmStart(directory, {}, { asOwner: true });
    await printed('Building the web app.');
    const startId = startProcessId();
    const build = await vi.waitFor(() => {
      const found = processTree(startId).find(({ pid }) => pid !== startId);
      expect(found?.command).toContain('web-build-process.ts');
      return found;
    }, hour);
    process.kill(startId, signal);
    await vi.waitFor(() => {
      expect(processTree(build?.pid ?? 0)).toEqual([]);
    }, hour);
  },
  hour,
);

test(
  'a build that fails gives its reason and exits with 1',
  async () => {
    const directory = copyProduct({ packages: 'all', isBuilt: false });
    writeFileSync(join(directory, 'src', 'web', 'app', 'main.tsx'), "import './no-such-file.ts';");
    const { code, output } = await (await npmStart(directory, {}, { asOwner: true })).ended;
    expect(code).toBe(1);
    expect(output).toMatch(/^The web app could not be built: .*no-such-file\.ts/ms);
  },
  hour,
);

test('the source maps of a build lie outside the folder that is served, and no script names them', () => {
  const dist = join(import.meta.dirname, '..', '..', 'dist');
  const scripts = filesBelow(join(dist, 'web')).filter(({ path }) => path.endsWith('.js'));
  const maps = new Set(filesBelow(join(dist, 'source-maps')).map(({ path }) => path));
  expect(filesBelow(join(dist, 'web')).filter(({ path }) => path.includes('.map'))).toEqual([]);
  for (const { path } of scripts)
    expect(readFileSync(join(dist, 'web', path), 'utf8')).not.toContain('sourceMappingURL');
  // The script of the listening page, in .vite, stands in the page, where a frame names no file.
  const withoutMap = scripts.filter(({ path }) => !path.startsWith('.vite/') && !maps.has(`${path}.map`));
  expect(withoutMap).toEqual([]);
  expect(scripts.length).toBeGreaterThan(50);
});

test('without development dependencies, reports a missing, incomplete or outdated build with the fix', async () => {
  const directory = copyProduct({ packages: 'production', isBuilt: true });
  const build = join(directory, 'dist');
  const rejection = async () =>
    lastLineOf((await (await npmStart(directory, { DATA_DIR: writableFolder() })).ended).output);
  const remedy = `and the packages that build it are not installed (they are development dependencies): run "npm ci && npm run build" in ${directory} as the user who owns it, then start again.`;
  appendFileSync(join(directory, 'src', 'web', 'index.html'), '\n');
  expect(await rejection()).toBe(
    `The web app was built from other source files than those that are here, ${remedy}`,
  );
  rmSync(join(build, 'web', 'index.html'));
  expect(await rejection()).toBe(`The web app has not been built, ${remedy}`);
  rmSync(build, { recursive: true });
  expect(await rejection()).toBe(`The web app has not been built, ${remedy}`);
});

test('reports a missing build where this user may not write, with the fix', async ({ skip }) => {
  const directory = copyProduct({ packages: 'all', isBuilt: false });
  if (!mountReadOnly(directory)) skip('this machine allows no mounting');
  const { code, output } = await (await npmStart(directory, { DATA_DIR: writableFolder() })).ended;
  expect([code, lastLineOf(output)]).toEqual([
    1,
    `The web app has not been built, and this user may not write in ${directory}: run "npm ci && npm run build" in ${directory} as the user who owns it, then start again.`,
  ]);
});
