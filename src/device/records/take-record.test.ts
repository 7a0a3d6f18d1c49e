import { expect, test } from 'vitest';
import { currentRecord, hasPendingChanges, type TakeRecord } from './take-record.ts';
import { takeRecordFor } from './take-record.suite.ts';

const record = takeRecordFor({ id: 'a', title: '', state: 'stopped', receiptAtMs: 0 });

test('reads the pending changes that an earlier build stored under the former name', () => {
  const former = { ...record, ['untold']: ['title', 'marker m'], pendingChanges: ['title', 'place'] };
  const current = currentRecord(former as TakeRecord);
  expect(current).toEqual({ ...record, pendingChanges: ['title', 'marker m', 'place'] });
  expect(hasPendingChanges(current)).toBe(true);
});

test('returns a record without the former name unchanged', () => {
  expect(currentRecord(record)).toBe(record);
});
