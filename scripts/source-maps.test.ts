import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moveSourceMaps, readStack } from './source-maps.ts';

/** A build with one script, whose first column comes from line 1, and whose tenth from line 3, column 5. */
function builtFolder(): { web: string; maps: string } {
  const dist = join(mkdtempSync(join(tmpdir(), 'earshot-source-maps-')), 'dist');
  onTestFinished(() => {
    rmSync(dirname(dist), { recursive: true });
  });
  const [web, maps] = [join(dist, 'web'), join(dist, 'source-maps')];
  mkdirSync(join(web, 'assets'), { recursive: true });
  writeFileSync(join(web, 'assets', 'app-a1b2.js'), 'start();stop();');
  writeFileSync(
    join(web, 'assets', 'app-a1b2.js.map'),
    JSON.stringify({
      version: 3,
      sources: ['../../../src/web/app/main.tsx'],
      names: ['stop'],
      mappings: 'AAAA,SAEIA',
    }),
  );
  return { web, maps };
}

test('the maps of a build leave the folder that is served, and those of the build before are gone', async () => {
  const { web, maps } = builtFolder();
  mkdirSync(maps);
  writeFileSync(join(maps, 'old.js.map'), '');
  const map = readFileSync(join(web, 'assets', 'app-a1b2.js.map'), 'utf8');
  await moveSourceMaps(web, maps);
  expect(existsSync(join(web, 'assets', 'app-a1b2.js.map'))).toBe(false);
  expect(existsSync(join(web, 'assets', 'app-a1b2.js'))).toBe(true);
  expect(existsSync(join(maps, 'old.js.map'))).toBe(false);
  expect(readFileSync(join(maps, 'assets', 'app-a1b2.js.map'), 'utf8')).toBe(map);
});

test.each([
  [
    'Chromium',
    '    at stop (https://ear.example/assets/app-a1b2.js:1:12)',
    '    at stop (src/web/app/main.tsx:3:5 (stop))',
  ],
  [
    'Firefox and Safari',
    'stop@https://ear.example:8443/assets/app-a1b2.js:1:12',
    'stop@src/web/app/main.tsx:3:5 (stop)',
  ],
])('a stack of %s names the places in the source', async (_browser, frame, expected) => {
  const { web, maps } = builtFolder();
  await moveSourceMaps(web, maps);
  const stack = (line: string) => `TypeError: x is undefined\n${line}\n`;
  expect(await readStack(stack(frame), maps)).toEqual({ text: stack(expected), unknownFiles: [] });
});

test('frames of another build stay as they are, and are named', async () => {
  const { web, maps } = builtFolder();
  await moveSourceMaps(web, maps);
  const stack =
    'at f (https://ear.example/assets/app-9999.js:1:12)\nat g (https://ear.example/assets/../../x.js:1:1)';
  expect(await readStack(stack, maps)).toEqual({ text: stack, unknownFiles: ['assets/app-9999.js'] });
});
