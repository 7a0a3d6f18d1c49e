import { expect, test } from 'vitest';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { otherOwnersOf } from './other-owners.ts';

const records = [
  takeRecordFor({ id: 'a', ownerId: 'ana', receiptAtMs: null }),
  takeRecordFor({ id: 'b', ownerId: 'ana', receiptAtMs: 5 }),
  takeRecordFor({ id: 'c', ownerId: 'ana', deletedAtMs: 5 }),
  takeRecordFor({ id: 'd', ownerId: 'bob', receiptAtMs: 5 }),
  takeRecordFor({ id: 'e', ownerId: null }),
];
const names = new Map([['ana', 'a…@example.org']]);
const nameOf = (ownerId: string) => names.get(ownerId) ?? null;
const ana = { ownerId: 'ana', name: 'a…@example.org', count: 2, unfinishedCount: 1, standing: null };
const bob = { ownerId: 'bob', name: null, count: 1, unfinishedCount: 0, standing: null };

test.each([
  ['nobody', { userId: null }, [ana, bob]],
  ['one of the owners', { userId: 'bob' }, [ana]],
  [
    'the person at the tab that recorded some',
    { userId: null, tab: { ownerId: 'ana', takeIds: new Set(['a']) } },
    [{ ...ana, count: 1, unfinishedCount: 0 }, bob],
  ],
])('to %s, the takes of other accounts exist', (_who, viewer, others) => {
  expect(otherOwnersOf(records, viewer, { nameOf, standings: new Map() })).toEqual(others);
});

test('of a deleted account, what is in its trash exists too, because nobody can open it', () => {
  const standings = new Map([['ana', { standing: 'deleted', sinceMs: 5 } as const]]);
  expect(otherOwnersOf(records, { userId: null }, { nameOf, standings })).toEqual([
    { ...ana, count: 3, unfinishedCount: 2, standing: 'deleted' },
    bob,
  ]);
});
