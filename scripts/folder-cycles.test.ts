import { expect, it } from 'vitest';
import { cyclesAmong, siblingsOf } from './folder-cycles.ts';

it('compares the folders below the deepest folder that two files share', () => {
  expect(siblingsOf('src/web/player/engine/a.ts', 'src/web/player/screen/parts/b.ts')).toEqual([
    'src/web/player/engine',
    'src/web/player/screen',
  ]);
});

it('allows a file to import from its own folder and from the folders above and below it', () => {
  expect(siblingsOf('src/web/player/a.ts', 'src/web/player/b.ts')).toBeNull();
  expect(siblingsOf('src/web/player/engine/a.ts', 'src/web/player/b.ts')).toBeNull();
  expect(siblingsOf('src/web/player/b.ts', 'src/web/player/engine/a.ts')).toBeNull();
});

it('reports two folders that import each other once, with the rarer direction', () => {
  const findings = cyclesAmong([
    { from: 'src/a/one.ts', to: 'src/b/one.ts' },
    { from: 'src/a/two.ts', to: 'src/b/one.ts' },
    { from: 'src/b/deep/one.ts', to: 'src/a/one.ts' },
  ]);
  expect(findings).toEqual(['src/a and src/b import each other:\n  src/b/deep/one.ts imports src/a/one.ts']);
});

it('allows folders that import in one direction only', () => {
  expect(cyclesAmong([{ from: 'src/a/one.ts', to: 'src/b/one.ts' }])).toEqual([]);
});
