import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stamped, webBuildState } from './web-build-state.ts';

/** Creates a project whose web app is built. */
async function builtProject(): Promise<{ root: string; write: (path: string, text: string) => void }> {
  const root = mkdtempSync(join(tmpdir(), 'earshot-build-state-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const folder of ['web', 'device', 'server']) write(`src/${folder}/a.ts`, 'first');
  await stamped(root, async () => {
    write('dist/web/index.html', '');
    for (const file of ['prerendered.json', 'listening.js', 'listening.css'])
      write(`dist/web/.vite/${file}`, '');
  });
  return { root, write };
}

test('a build is current until one of its inputs changes', async () => {
  const { root, write } = await builtProject();
  expect(await webBuildState(root)).toBe('current');
  write('src/server/a.ts', 'second');
  expect(await webBuildState(root)).toBe('current');
  write('vite.config.ts', 'second');
  expect(await webBuildState(root)).toBe('outdated');
});

test.each(['src/web/a.ts', 'src/device/a.ts', 'src/web/new.ts', 'src/new-folder/a.ts'])(
  'a change of %s makes the build outdated',
  async (path) => {
    const { root, write } = await builtProject();
    write(path, 'second');
    expect(await webBuildState(root)).toBe('outdated');
  },
);

test('an interrupted build counts as missing', async () => {
  const { root, write } = await builtProject();
  await stamped(root, () => Promise.reject(new Error('interrupted'))).catch(() => undefined);
  write('src/web/a.ts', 'first');
  expect(await webBuildState(root)).toBe('missing');
});
