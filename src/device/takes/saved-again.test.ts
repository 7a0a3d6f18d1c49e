import { expect, test } from 'vitest';
import { savedAgain } from './saved-again.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';

const deleted = takeRecordFor({
  id: 'old',
  ownerId: 'ana',
  state: 'stopped',
  title: 'Lecture',
  isRejected: true,
  rejection: 'deleted',
  deletedAtMs: 5,
  receiptAtMs: 4,
  upload: { token: 'old', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 },
  markers: [{ id: 'm', atMs: 1, label: 'one', sent: true }],
  notes: [{ id: 'n', atMs: 1, text: 'two', sentText: 'two' }],
  passages: [{ id: 'p', atMs: 1, toMs: 2, stored: { fromMs: 1, toMs: 2 } }],
  pendingChanges: [{ kind: 'title' }],
});

test('a take that is saved again is new to the server, with everything its user made', () => {
  const take = savedAgain(deleted, { id: 'new', userId: 'ana' });
  expect(take).toMatchObject({
    id: 'new',
    ownerId: 'ana',
    title: 'Lecture',
    upload: null,
    receiptAtMs: null,
    deletedAtMs: null,
    markers: [{ label: 'one', sent: false }],
    notes: [{ text: 'two', sentText: null }],
    passages: [{ atMs: 1, toMs: 2, stored: null }],
    pendingChanges: [],
  });
  expect(take).not.toHaveProperty('isRejected');
});

test.each([
  ['of another user', { userId: 'bob' }, {}],
  ['while nobody is signed in', { userId: null }, {}],
  ['without an owner', { userId: null }, { ownerId: null }],
  ['that still runs', { userId: 'ana' }, { state: 'recording' as const }],
  ['that the server doesn’t accept', { userId: 'ana' }, { rejection: 'invalid' as const }],
  ['that the server takes', { userId: 'ana' }, { isRejected: false }],
])('a take %s is not saved again', (_what, { userId }, facts) => {
  expect(savedAgain({ ...deleted, ...facts }, { id: 'new', userId })).toBeNull();
});
