import { expect, test } from 'vitest';
import { currentRecord, hasPendingChanges, type TakeOfAnyBuild } from './take-record.ts';
import { takeRecordFor } from './take-record.suite.ts';

const record = takeRecordFor({ id: 'a', title: '', state: 'stopped', receiptAtMs: 0 });

test('reads the pending changes that an earlier build stored under the former name', () => {
  const former = { ...record, ['untold']: ['title', 'marker m'], pendingChanges: ['title', 'place'] };
  const current = currentRecord(former);
  const pendingChanges = [{ kind: 'title' }, { kind: 'marker', id: 'm' }, { kind: 'trash' }];
  expect(current).toEqual({ ...record, pendingChanges });
  expect(hasPendingChanges(current)).toBe(true);
});

test('reads pending changes that an earlier build stored as texts, also beside those of this build', () => {
  const former: TakeOfAnyBuild = {
    ...record,
    pendingChanges: ['note n', 'place', { kind: 'note', id: 'n' }, { kind: 'title' }],
  };
  const pendingChanges = [{ kind: 'note', id: 'n' }, { kind: 'trash' }, { kind: 'title' }];
  expect(currentRecord(former)).toEqual({ ...record, pendingChanges });
});

test('returns a record of this build unchanged', () => {
  expect(currentRecord(record)).toBe(record);
  const changed = { ...record, pendingChanges: [{ kind: 'marker', id: 'm' } as const] };
  expect(currentRecord(changed)).toBe(changed);
});
