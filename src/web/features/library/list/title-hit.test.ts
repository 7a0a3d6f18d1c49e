import { expect, test } from 'vitest';
import type { SearchHit } from '#contract/recordings.ts';
import { titleHitOf } from './title-hit.ts';

const hit: SearchHit = { kind: 'title', text: 'The Question', ranges: [[4, 9]], atMs: null, more: 0 };

test('marks a title as the server reports, but not after it was renamed', () => {
  expect(titleHitOf({ title: 'The Question', hit }, 'quest')).toBe(hit);
  expect(titleHitOf({ title: 'Another question', hit }, 'quest')).toBeNull();
  expect(titleHitOf({ title: 'The Question', hit: { ...hit, kind: 'marker' } }, 'quest')).toBeNull();
});

test('marks the title of a take on this device by the same rules', () => {
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
