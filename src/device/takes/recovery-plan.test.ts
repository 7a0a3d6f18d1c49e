import { describe, expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { takesFor } from './device-take.ts';
import { takesToRecover, takesToRemove, takesToFlush } from './recovery-plan.ts';

const upload = { token: 'token', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 };

const record = (changes: Partial<TakeRecord>): TakeRecord =>
  takeRecordFor({
    id: 'a',
    title: 'Interview',
    state: 'stopped',
    durationMs: 1000,
    sizeBytes: 10,
    ...changes,
  });

const signedOut = { userId: null, heldTakeIds: new Set<string>() };
const nothing = { heldTakeIds: new Set<string>(), standings: new Map() };
const yes = () => true;
const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id);

describe('takes to recover', () => {
  test('recovers a take whose page died even while signed out', () => {
    expect(ids(takesToRecover([record({ state: 'recording' })], signedOut, yes))).toEqual(['a']);
  });

  test('does not recover a take that an open page is recording', () => {
    expect(
      takesToRecover([record({ state: 'recording' })], { userId: null, heldTakeIds: new Set(['a']) }, yes),
    ).toEqual([]);
  });

  test('recovers a stopped, unowned take only once a user has signed in', () => {
    expect(takesToRecover([record({})], signedOut, yes)).toEqual([]);
    expect(ids(takesToRecover([record({})], { ...signedOut, userId: 'rosa' }, yes))).toEqual(['a']);
  });

  test('does not recover a stopped, unowned take that the user has not claimed', () => {
    expect(takesToRecover([record({})], { ...signedOut, userId: 'rosa' }, () => false)).toEqual([]);
    expect(
      ids(takesToRecover([record({ ownerId: 'rosa' })], { ...signedOut, userId: 'rosa' }, () => false)),
    ).toEqual(['a']);
  });

  test('recovers a take that has an upload capability even without a session', () => {
    expect(ids(takesToRecover([record({ ownerId: 'rosa', upload })], signedOut, yes))).toEqual(['a']);
  });

  test('does not recover a take of another user', () => {
    expect(
      takesToRecover(
        [record({ ownerId: 'rosa', upload, state: 'recording' })],
        { ...signedOut, userId: 'salim' },
        yes,
      ),
    ).toEqual([]);
  });

  test('does not recover a take that has a receipt', () => {
    expect(
      takesToRecover([record({ receiptAtMs: 5, upload })], { ...signedOut, userId: 'rosa' }, yes),
    ).toEqual([]);
  });

  test('recovers the oldest take first', () => {
    const records = [record({ id: 'late', startedAtMs: 2 }), record({ id: 'early', startedAtMs: 1 })];
    expect(ids(takesToRecover(records, { ...signedOut, userId: 'rosa' }, yes))).toEqual(['early', 'late']);
  });
});

describe('expired copies', () => {
  test('are removed more than seven days after the receipt', () => {
    const copy = record({ receiptAtMs: 0 });
    expect(takesToRemove([copy], nothing, 7 * day)).toEqual([]);
    expect(ids(takesToRemove([copy], nothing, 7 * day + 1))).toEqual(['a']);
  });

  test('do not include takes without a receipt, however old', () => {
    expect(takesToRemove([record({})], nothing, 4000 * day)).toEqual([]);
  });

  test('include takes that were in the trash for more than thirty days', () => {
    expect(ids(takesToRemove([record({ deletedAtMs: 0 })], nothing, 30 * day + 1))).toEqual(['a']);
  });

  test('include what a deleted account has here thirty days after this device heard of it, but not a running take', () => {
    const take = record({ ownerId: 'ana' });
    const standings = new Map([['ana', { standing: 'deleted', sinceMs: 0 } as const]]);
    expect(takesToRemove([take], { ...nothing, standings }, 30 * day)).toEqual([]);
    expect(ids(takesToRemove([take], { ...nothing, standings }, 30 * day + 1))).toEqual(['a']);
    const heldTakeIds = new Set(['a']);
    expect(takesToRemove([take], { heldTakeIds, standings }, 40 * day)).toEqual([]);
  });

  test('do not include what an account that is turned off has here', () => {
    const standings = new Map([['ana', { standing: 'disabled', sinceMs: 0 } as const]]);
    expect(takesToRemove([record({ ownerId: 'ana' })], { ...nothing, standings }, 4000 * day)).toEqual([]);
  });

  test('do not include copies with pending changes', () => {
    const copy = { receiptAtMs: 0, pendingChanges: [{ kind: 'title' }] } as const;
    expect(takesToRemove([record(copy)], nothing, 8 * day)).toEqual([]);
    expect(ids(takesToRemove([record({ ...copy, pendingChanges: [] })], nothing, 8 * day))).toEqual(['a']);
  });

  test('do not include takes in use', () => {
    expect(
      takesToRemove([record({ receiptAtMs: 0 })], { ...nothing, heldTakeIds: new Set(['a']) }, 8 * day),
    ).toEqual([]);
  });
});

describe('takes to flush', () => {
  test('are those of the signed-in user that the server knows and that have pending changes', () => {
    const pendingChanges = { ownerId: 'rosa', upload, pendingChanges: [{ kind: 'trash' }] } as const;
    const records = [
      record(pendingChanges),
      record({ ...pendingChanges, id: 'whole', upload: null, receiptAtMs: 1 }),
      record({ ...pendingChanges, id: 'new', upload: null }),
      record({ ...pendingChanges, id: 'told', pendingChanges: [] }),
    ];
    expect(ids(takesToFlush(records, 'rosa'))).toEqual(['a', 'whole']);
    expect(takesToFlush(records, 'salim')).toEqual([]);
    expect(takesToFlush(records, null)).toEqual([]);
  });
});

describe('the takes that a user sees', () => {
  const records = [
    record({ id: 'of-nobody', startedAtMs: 1 }),
    record({ id: 'of-rosa', ownerId: 'rosa', startedAtMs: 2 }),
    record({ id: 'of-salim', ownerId: 'salim', startedAtMs: 3 }),
  ];

  test("are the user's own and unowned ones, newest first", () => {
    expect(ids(takesFor(records, { ...signedOut, userId: 'rosa' }))).toEqual(['of-rosa', 'of-nobody']);
  });

  test('are the unowned ones while signed out', () => {
    expect(ids(takesFor(records, signedOut))).toEqual(['of-nobody']);
  });

  test('report whether a page is still recording them', () => {
    const open = [record({ state: 'recording' })];
    expect(takesFor(open, signedOut)[0]?.state).toBe('interrupted');
    expect(takesFor(open, { userId: null, heldTakeIds: new Set(['a']) })[0]?.state).toBe('recording');
  });

  test('include the facts from which their state is computed', () => {
    const rosa = { ...signedOut, userId: 'rosa' };
    expect(takesFor([record({})], signedOut)[0]?.facts).toMatchObject({
      owner: 'nobody',
      receipt: 'none',
      transfer: 'none',
    });
    expect(takesFor([record({ ownerId: 'rosa', receiptAtMs: 1 })], rosa)[0]?.facts).toMatchObject({
      owner: 'me',
      receipt: 'whole',
    });
    expect(
      takesFor([record({ ownerId: 'rosa' })], { ...rosa, heldTakeIds: new Set(['a']) })[0]?.facts,
    ).toMatchObject({ isCapturing: false, transfer: 'pending' });
  });
});
