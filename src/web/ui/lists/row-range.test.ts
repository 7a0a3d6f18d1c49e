import { expect, it } from 'vitest';
import { makeRowRange } from './row-range.ts';

const window = (startIndex: number) => ({ startIndex, endIndex: startIndex + 9, overscan: 5, count: 1000 });
const ends = (indexes: number[]) => [indexes[0], indexes.at(-1), indexes.length];

it('returns the rows in the window and some around them, within the list', () => {
  const rangeOf = makeRowRange();
  expect(ends(rangeOf(window(0)))).toEqual([0, 14, 15]);
  expect(ends(rangeOf(window(9)))).toEqual([4, 23, 20]);
  expect(ends(rangeOf(window(2)))).toEqual([0, 16, 17]);
});

it('leaves out the rows around a window that jumped, until it stays', () => {
  const rangeOf = makeRowRange();
  expect(ends(rangeOf(window(500)))).toEqual([500, 509, 10]);
  expect(ends(rangeOf(window(400)))).toEqual([400, 409, 10]);
  expect(ends(rangeOf(window(400)))).toEqual([395, 414, 20]);
  expect(ends(rangeOf(window(990)))).toEqual([990, 999, 10]);
});
