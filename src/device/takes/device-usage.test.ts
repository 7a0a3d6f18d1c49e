import { expect, test } from 'vitest';
import type { TakeRecord } from './take-record.ts';
import { limits } from '#contract/limits.ts';
import { deviceUsageOf } from './device-usage.ts';
import { takeStateOf } from './device-take.ts';

const record = (changes: Partial<TakeRecord>): TakeRecord => ({
  id: 'a',
  ownerId: null,
  title: 'A take',
  startedAtMs: 1000,
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
  durationMs: 5000,
  sizeBytes: 30_000,
  upload: null,
  receiptAtMs: null,
  deletedAtMs: null,
  updatedAtMs: 0,
  ...changes,
});
const nobodyWrites: ReadonlySet<string> = new Set();

test('the person in front sees their own takes and those of nobody, newest first; of others only how many and how large', () => {
  const usage = deviceUsageOf(
    [
      record({ id: 'old' }),
      record({ id: 'mine', ownerId: 'me', startedAtMs: 2000 }),
      record({ id: 'theirs', ownerId: 'you', title: 'Secret' }),
    ],
    { userId: 'me', heldTakeIds: nobodyWrites },
  );
  expect(usage.takes.map((take) => [take.id, takeStateOf(take)])).toEqual([
    ['mine', 'waiting'],
    ['old', 'device'],
  ]);
  expect(usage.others).toEqual({ count: 1, sizeBytes: 30_000 });
  expect(JSON.stringify(usage)).not.toContain('Secret');
});

test("signed out, every take of somebody is another person's", () => {
  const usage = deviceUsageOf([record({ ownerId: 'me' })], {
    userId: null,
    heldTakeIds: nobodyWrites,
  });
  expect(usage).toMatchObject({ takes: [], others: { count: 1 } });
});

test('a copy of what the server has says until when it is kept', () => {
  const [take] = deviceUsageOf([record({ receiptAtMs: 5000, ownerId: 'me' })], {
    userId: 'me',
    heldTakeIds: nobodyWrites,
  }).takes;
  expect(take && takeStateOf(take)).toBe('server');
  expect(take?.copyUntilMs).toBe(5000 + limits.localCopyRetentionMs);
});

test('what lies in the trash is counted apart', () => {
  const usage = deviceUsageOf([record({ deletedAtMs: 1 }), record({ id: 'b' })], {
    userId: null,
    heldTakeIds: nobodyWrites,
  });
  expect([usage.takes.length, usage.trashed]).toEqual([1, { count: 1, sizeBytes: 30_000 }]);
});

test('a take that a page is writing is being recorded; one that lost its page is only here', () => {
  const takes = [
    record({ id: 'running', state: 'recording' }),
    record({ id: 'orphan', state: 'recording', startedAtMs: 1 }),
  ];
  expect(
    deviceUsageOf(takes, { userId: null, heldTakeIds: new Set(['running']) }).takes.map((take) =>
      takeStateOf(take),
    ),
  ).toEqual(['recording-here', 'device']);
});

test('what Earshot uses is the sum of all recordings on the device, whoever they belong to, and of import copies', () => {
  const records = [
    record({ id: 'mine', ownerId: 'me' }),
    record({ id: 'theirs', ownerId: 'you' }),
    record({ id: 'old', deletedAtMs: 1 }),
  ];
  expect(deviceUsageOf(records, { userId: 'me', heldTakeIds: nobodyWrites }, 500).usedBytes).toBe(90_500);
});
