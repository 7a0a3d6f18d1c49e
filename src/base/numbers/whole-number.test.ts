import { expect, test } from 'vitest';
import { wholeNumberIn } from './whole-number.ts';

test.each([
  ['12', 12],
  [' 12 ', 12],
  ['١٢', 12],
  ['100', 100],
  ['101', null],
  ['0', null],
  ['1.5', null],
  ['-3', null],
  ['1e2', null],
  ['', null],
  ['9'.repeat(100_000), null],
])('reads %s as a whole number from 1 to 100', (typed, value) => {
  expect(wholeNumberIn(typed, { min: 1, max: 100 })).toBe(value);
});
