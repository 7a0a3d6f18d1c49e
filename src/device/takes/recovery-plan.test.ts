import { describe, expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import type { TakeRecord } from './take-record.ts';
import { takesFor } from './device-take.ts';
import { takesToRecover, takesToRemove, takesToFlush } from './recovery-plan.ts';

const upload = { token: 'token', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 };

const record = (changes: Partial<TakeRecord>): TakeRecord => ({
  id: 'a',
  ownerId: null,
  title: 'Interview',
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
  durationMs: 1000,
  sizeBytes: 10,
  upload: null,
  receiptAtMs: null,
  deletedAtMs: null,
  updatedAtMs: 0,
  ...changes,
});

const nobody = { userId: null, heldTakeIds: new Set<string>() };
const yes = () => true;
const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id);

describe('takes to recover', () => {
  test('a take whose page died is recovered even when nobody is signed in', () => {
    expect(ids(takesToRecover([record({ state: 'recording' })], nobody, yes))).toEqual(['a']);
  });

  test('a take that a living page writes is left to it', () => {
    expect(
      takesToRecover([record({ state: 'recording' })], { userId: null, heldTakeIds: new Set(['a']) }, yes),
    ).toEqual([]);
  });

  test('a whole take of nobody waits until somebody signs in', () => {
    expect(takesToRecover([record({})], nobody, yes)).toEqual([]);
    expect(ids(takesToRecover([record({})], { ...nobody, userId: 'rosa' }, yes))).toEqual(['a']);
  });

  test('a whole take of nobody that was not claimed waits, whoever signs in', () => {
    expect(takesToRecover([record({})], { ...nobody, userId: 'rosa' }, () => false)).toEqual([]);
    expect(
      ids(takesToRecover([record({ ownerId: 'rosa' })], { ...nobody, userId: 'rosa' }, () => false)),
    ).toEqual(['a']);
  });

  test('a right to upload is enough, without a session', () => {
    expect(ids(takesToRecover([record({ ownerId: 'rosa', upload })], nobody, yes))).toEqual(['a']);
  });

  test('a take of another person is left alone', () => {
    expect(
      takesToRecover(
        [record({ ownerId: 'rosa', upload, state: 'recording' })],
        { ...nobody, userId: 'salim' },
        yes,
      ),
    ).toEqual([]);
  });

  test('a receipted take needs nothing', () => {
    expect(takesToRecover([record({ receiptAtMs: 5, upload })], { ...nobody, userId: 'rosa' }, yes)).toEqual(
      [],
    );
  });

  test('the oldest comes first', () => {
    const records = [record({ id: 'late', startedAtMs: 2 }), record({ id: 'early', startedAtMs: 1 })];
    expect(ids(takesToRecover(records, { ...nobody, userId: 'rosa' }, yes))).toEqual(['early', 'late']);
  });
});

describe('copies whose time is over', () => {
  test('a copy goes seven days after the receipt, not before', () => {
    const copy = record({ receiptAtMs: 0 });
    expect(takesToRemove([copy], new Set(), 7 * day)).toEqual([]);
    expect(ids(takesToRemove([copy], new Set(), 7 * day + 1))).toEqual(['a']);
  });

  test('without a receipt a take is kept however old it is', () => {
    expect(takesToRemove([record({})], new Set(), 4000 * day)).toEqual([]);
  });

  test('a trashed take goes after thirty days', () => {
    expect(ids(takesToRemove([record({ deletedAtMs: 0 })], new Set(), 30 * day + 1))).toEqual(['a']);
  });

  test('a copy that alone knows of something that was done stays until the server has heard', () => {
    const copy = { receiptAtMs: 0, pendingChanges: ['title'] } as const;
    expect(takesToRemove([record(copy)], new Set(), 8 * day)).toEqual([]);
    expect(ids(takesToRemove([record({ ...copy, pendingChanges: [] })], new Set(), 8 * day))).toEqual(['a']);
  });

  test('a take that is in use stays', () => {
    expect(takesToRemove([record({ receiptAtMs: 0 })], new Set(['a']), 8 * day)).toEqual([]);
  });
});

describe('takes of which the server has something to hear', () => {
  test('are those of whoever is signed in that it knows', () => {
    const pendingChanges = { ownerId: 'rosa', upload, pendingChanges: ['place'] } as const;
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

describe('the takes a person sees', () => {
  const records = [
    record({ id: 'of-nobody', startedAtMs: 1 }),
    record({ id: 'of-rosa', ownerId: 'rosa', startedAtMs: 2 }),
    record({ id: 'of-salim', ownerId: 'salim', startedAtMs: 3 }),
  ];

  test('are their own and those of nobody, newest first', () => {
    expect(ids(takesFor(records, { ...nobody, userId: 'rosa' }))).toEqual(['of-rosa', 'of-nobody']);
  });

  test('are those of nobody when nobody is signed in', () => {
    expect(ids(takesFor(records, nobody))).toEqual(['of-nobody']);
  });

  test('say whether a page is still writing them', () => {
    const open = [record({ state: 'recording' })];
    expect(takesFor(open, nobody)[0]?.state).toBe('interrupted');
    expect(takesFor(open, { userId: null, heldTakeIds: new Set(['a']) })[0]?.state).toBe('recording');
  });

  test('come with the facts that their state is computed from', () => {
    const rosa = { ...nobody, userId: 'rosa' };
    expect(takesFor([record({})], nobody)[0]?.facts).toMatchObject({
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
