import { expect, test } from 'vitest';
import { gapLengthFor, shortLengthFor } from './short-length.ts';

test.each([
  ['en', 430, '0.4 s'],
  ['en', 9_999, '9.9 s'],
  ['de', 430, '0,4 s'],
  ['en', 192_000, '3 min 12 s'],
  ['en', 120_000, '2 min'],
  ['de', 7_512_000, '2 h 5 min 12 s'],
  ['ru', 430, '0,4 с'],
  ['en', -5, '0.0 s'],
])('in %s, %i ms is %s', (locale, ms, words) => {
  expect(shortLengthFor(locale)(ms).replaceAll('\u202f', ' ')).toBe(words);
});

test('never breaks a line between a number and its unit', () => {
  for (const locale of ['en', 'de', 'ar', 'fr'])
    expect(shortLengthFor(locale)(430)).not.toMatch(/[ \u00a0]/u);
});

test.each([
  ['en', 30, '30 ms'],
  ['de', 99, '99 ms'],
  ['ru', 30, '30 мс'],
  ['en', 100, '0.1 s'],
  ['en', 0.4, '1 ms'],
  ['en', 0, '0.0 s'],
])('in %s, a gap of %f ms is %s', (locale, ms, words) => {
  expect(gapLengthFor(locale)(ms).replaceAll('\u202f', ' ')).toBe(words);
});
