import { expect, it } from 'vitest';
import { cyclesAmong, siblingsOf } from './folder-cycles.ts';

it('compares the folders below the deepest folder that two files share', () => {
  expect(siblingsOf('src/web/player/engine/a.ts', 'src/web/player/screen/parts/b.ts')).toEqual([
    'src/web/player/engine',
    'src/web/player/screen',
  ]);
});

it('compares a file with the folders beside it', () => {
  expect(siblingsOf('src/web/player/engine/a.ts', 'src/web/player/b.ts')).toEqual([
    'src/web/player/engine',
    'src/web/player/b.ts',
  ]);
  expect(
    cyclesAmong([
      { from: 'src/a/deep/one.ts', to: 'src/a/two.ts' },
      { from: 'src/a/two.ts', to: 'src/a/deep/other.ts' },
    ]),
  ).toEqual(['src/a/deep and src/a/two.ts import each other:\n  src/a/deep/one.ts imports src/a/two.ts']);
});

it('allows the files of one folder to import each other', () => {
  expect(siblingsOf('src/web/player/a.ts', 'src/web/player/b.ts')).toBeNull();
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
