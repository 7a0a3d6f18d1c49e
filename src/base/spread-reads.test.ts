import { expect, test } from 'vitest';
import { spreadReadAtMs } from './spread-reads.ts';

const nowMs = 100_000;
const trustedMs = 5000;

test('first reads count as made at different times, none longer ago than they are trusted', () => {
  const times = Array.from({ length: 200 }, () => spreadReadAtMs({ isFirst: true, nowMs, trustedMs }));
  expect(Math.min(...times)).toBeGreaterThan(nowMs - trustedMs);
  expect(Math.max(...times)).toBeLessThanOrEqual(nowMs);
  expect(new Set(times).size).toBeGreaterThan(100);
});

test('a later read counts as made now', () => {
  expect(spreadReadAtMs({ isFirst: false, nowMs, trustedMs })).toBe(nowMs);
});
