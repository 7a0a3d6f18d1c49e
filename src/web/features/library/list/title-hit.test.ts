import { expect, test } from 'vitest';
import type { SearchHit } from '#contract/recordings.ts';
import { titleHitOf } from './title-hit.ts';

const hit: SearchHit = { kind: 'title', text: 'The Question', ranges: [[4, 9]], atMs: null, more: 0 };

test('a title is marked as the server says, and not once it was changed', () => {
  expect(titleHitOf({ title: 'The Question', hit }, 'quest')).toBe(hit);
  expect(titleHitOf({ title: 'Another question', hit }, 'quest')).toBeNull();
  expect(titleHitOf({ title: 'The Question', hit: { ...hit, kind: 'marker' } }, 'quest')).toBeNull();
});

test('a title that only this device knows is marked by the same rules', () => {
  expect(titleHitOf({ title: 'Élise à Besançon', hit: null }, 'besancon elis')).toEqual({
    text: 'Élise à Besançon',
    ranges: [
      [0, 4],
      [8, 16],
    ],
  });
  for (const search of ['', '%', 'rome'])
    expect(titleHitOf({ title: 'Élise à Besançon', hit: null }, search)).toBeNull();
});
