import { expect, test } from 'vitest';
import { hour, minute } from '#base/duration.ts';
import { mayContinue } from './take-length.ts';

const take = { startedAtMs: 1000, durationMs: hour };

test.each([
  ['just after it was stopped', hour, true],
  ['hours later', 20 * hour, true],
  ['not if the silence since would reach the maximum length', 24 * hour, false],
])('a recording continues %s', (_, afterMs, isAllowed) => {
  expect(mayContinue(take, 1000 + afterMs)).toBe(isAllowed);
});

test('does not continue a recording beyond the maximum length', () => {
  expect(mayContinue({ startedAtMs: 0, durationMs: 24 * hour - minute }, 24 * hour - minute)).toBe(true);
  expect(mayContinue({ startedAtMs: 0, durationMs: 24 * hour - minute }, 24 * hour)).toBe(false);
});
