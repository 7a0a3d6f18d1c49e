import { expect, test } from 'vitest';
import { currentRecord, hasPendingChanges, type TakeRecord } from './take-record.ts';

const record: TakeRecord = {
  id: 'a',
  ownerId: null,
  title: '',
  startedAtMs: 0,
  timeZone: 'UTC',
  quality: 'speech',
  deviceLabel: null,
  sampleRateHz: 48_000,
  channels: 1,
  state: 'stopped',
  segments: [],
  markers: [],
  gaps: [],
  pauses: [],
  durationMs: 0,
  sizeBytes: 0,
  upload: null,
  receiptAtMs: 0,
  deletedAtMs: null,
  updatedAtMs: 0,
};

test('reads the pending changes that an earlier build stored under the former name', () => {
  const former = { ...record, ['untold']: ['title', 'marker m'], pendingChanges: ['title', 'place'] };
  const current = currentRecord(former as TakeRecord);
  expect(current).toEqual({ ...record, pendingChanges: ['title', 'marker m', 'place'] });
  expect(hasPendingChanges(current)).toBe(true);
});

test('returns a record without the former name unchanged', () => {
  expect(currentRecord(record)).toBe(record);
});
