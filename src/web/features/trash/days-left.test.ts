import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { daysLeft } from './days-left.ts';

const retentionDays = limits.trashRetentionMs / day;

test('counts all days after a deletion, one on the last day, and never fewer than none', () => {
  expect(daysLeft(0, 0)).toBe(retentionDays);
  expect(daysLeft(0, 1)).toBe(retentionDays);
  expect(daysLeft(0, limits.trashRetentionMs - 1)).toBe(1);
  expect(daysLeft(0, limits.trashRetentionMs)).toBe(0);
  expect(daysLeft(0, limits.trashRetentionMs + 9 * day)).toBe(0);
});

test('never counts more days as time passes', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (deletedAtMs, nowMs, laterMs) => {
      expect(daysLeft(deletedAtMs, nowMs + laterMs)).toBeLessThanOrEqual(daysLeft(deletedAtMs, nowMs));
    }),
  );
});
