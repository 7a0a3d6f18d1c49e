import { describe, expect, test } from 'vitest';
import { fateOf, resultFateOf, type ServerWord } from './server-word.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';

const words: Record<string, ServerWord> = {
  stored: { type: 'stored' },
  trashed: { type: 'trashed', atMs: 7 },
  deleted: { type: 'deleted' },
  unknown: { type: 'unknown' },
};
const takes = {
  sending: takeRecordFor({ receiptAtMs: null, deletedAtMs: null }),
  copy: takeRecordFor({ receiptAtMs: 5, deletedAtMs: null }),
  'copy in the trash': takeRecordFor({ receiptAtMs: 5, deletedAtMs: 6 }),
  'copy whose trash is pending': takeRecordFor({
    receiptAtMs: 5,
    deletedAtMs: 6,
    pendingChanges: [{ kind: 'trash' }],
  }),
  rejected: takeRecordFor({ receiptAtMs: null, isRejected: true, rejection: 'deleted' }),
  'in the trash, and only here': takeRecordFor({ receiptAtMs: null, deletedAtMs: 6 }),
};
const same = 'same';
const table: [keyof typeof takes, Record<string, unknown>][] = [
  [
    'sending',
    {
      stored: same,
      trashed: { deletedAtMs: 7 },
      deleted: { isRejected: true, rejection: 'deleted' },
      unknown: same,
    },
  ],
  [
    'in the trash, and only here',
    {
      stored: { deletedAtMs: null },
      trashed: same,
      deleted: { isRejected: true, rejection: 'deleted', deletedAtMs: null },
      unknown: same,
    },
  ],
  ['copy', { stored: same, trashed: { deletedAtMs: 7 }, deleted: 'dropped', unknown: same }],
  ['copy in the trash', { stored: { deletedAtMs: null }, trashed: same, deleted: 'dropped', unknown: same }],
  ['copy whose trash is pending', { stored: same, trashed: same, deleted: 'dropped', unknown: same }],
  ['rejected', { stored: same, trashed: { deletedAtMs: 7 }, deleted: same, unknown: same }],
];

describe.each(table)('of a take that is %s', (name, fates) => {
  test.each(Object.entries(fates))('the word “%s” makes %o', (word, expected) => {
    const fate = fateOf(takes[name], words[word] ?? { type: 'unknown' }, false);
    expect(fate).toMatchObject(
      typeof expected === 'string' ? { type: expected } : { type: 'changed', take: expected },
    );
  });
});

test('a copy that a worker writes is rejected instead of dropped, because it grows', () => {
  expect(fateOf(takes.copy, { type: 'deleted' }, true)).toMatchObject({
    type: 'changed',
    take: { isRejected: true },
  });
});

test.each([
  ['here', [{ id: 'a', state: 'stopped', deletedAtMs: null }], []],
  ['here', [], []],
  ['recorded-elsewhere', [{ id: 'a', state: 'recording', deletedAtMs: null }], []],
  ['trashed', [{ id: 'a', state: 'stopped', deletedAtMs: 5 }], []],
  ['deleted', [], ['a']],
  ['here', [{ id: 'a', state: 'stopped', deletedAtMs: null }], ['a']],
] as const)('a result is %s', (fate, stored, removed) => {
  expect(resultFateOf('a', stored, { removedIds: new Set<string>(removed), isListed: true })).toBe(fate);
});

test('a result is here until the list of the device has been read since Stop', () => {
  const takes = [{ id: 'a', state: 'recording', deletedAtMs: null }];
  expect(resultFateOf('a', takes, { removedIds: new Set(), isListed: false })).toBe('here');
});
