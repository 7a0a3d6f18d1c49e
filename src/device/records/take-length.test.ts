import { expect, test } from 'vitest';
import { elapsedMsOf, knownLengthMs } from './take-length.ts';
import { currentRecord } from './take-record.ts';
import { takeRecordFor } from './take-record.suite.ts';

test.each([
  { durationMs: 0, sizeBytes: 0, known: 0 },
  { durationMs: 0, sizeBytes: 1, known: null },
  { durationMs: 900, sizeBytes: 1, known: 900 },
  { durationMs: null, sizeBytes: 0, known: null },
])('takes $durationMs ms of $sizeBytes bytes for $known', ({ durationMs, sizeBytes, known }) => {
  expect(knownLengthMs(durationMs, sizeBytes)).toBe(known);
});

test.each([
  { name: 'of a killed take', state: 'recording' as const, sizeBytes: 0, durationMs: null },
  { name: 'of a stopped take with bytes', state: 'stopped' as const, sizeBytes: 367_000, durationMs: null },
  { name: 'of a stopped take without bytes', state: 'stopped' as const, sizeBytes: 0, durationMs: 0 },
])('reads the length 0 that an earlier build stored $name', ({ state, sizeBytes, durationMs }) => {
  const stored = takeRecordFor({ state, sizeBytes, durationMs: 0 });
  expect(currentRecord(stored)).toEqual({ ...stored, durationMs });
});

test('measures how long a take had run by the clock, without its pauses', () => {
  const take = { startedAtMs: 1000, updatedAtMs: 61_000, pauses: [{ durationMs: 10_000 }] };
  expect(elapsedMsOf(take)).toBe(50_000);
  expect(elapsedMsOf({ ...take, updatedAtMs: 0 })).toBe(0);
});
