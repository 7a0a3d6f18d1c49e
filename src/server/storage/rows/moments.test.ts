import { expect, test } from 'vitest';
import { isPast, momentOfClient, pastOrNull } from './moments.ts';

const nowMs = Date.UTC(2026, 10, 25, 12);

test("keeps a client's moment in the past, and counts one in the future as now", () => {
  expect([
    momentOfClient('2026-11-25T11:00:00Z', nowMs),
    momentOfClient('2026-11-25T12:00:00.001Z', nowMs),
    momentOfClient('9999-12-31T23:59:59Z', nowMs),
  ]).toEqual([nowMs - 3_600_000, nowMs, nowMs]);
});

test.each([
  [nowMs, true],
  [nowMs + 60_000, true],
  [nowMs + 60_001, false],
  [Infinity, false],
  [-Infinity, false],
  [NaN, false],
  [253_402_300_799_999, false],
])('a stored moment of %d has passed: %s', (ms, hasPassed) => {
  expect([isPast(ms, nowMs), pastOrNull(ms, nowMs)]).toEqual([hasPassed, hasPassed ? ms : null]);
});
