import { expect, test } from 'vitest';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { limits } from '#contract/limits.ts';
import { deviceUsageOf } from './device-usage.ts';
import { takeStateOf } from './device-take.ts';

const record = (changes: Partial<TakeRecord>): TakeRecord =>
  takeRecordFor({
    id: 'a',
    title: 'A take',
    startedAtMs: 1000,
    state: 'stopped',
    durationMs: 5000,
    sizeBytes: 30_000,
    ...changes,
  });
const noHeldTakes: ReadonlySet<string> = new Set();

test("lists the viewer's and unowned takes, newest first, and only count and size of other users' takes", () => {
  const usage = deviceUsageOf(
    [
      record({ id: 'old' }),
      record({ id: 'mine', ownerId: 'me', startedAtMs: 2000 }),
      record({ id: 'theirs', ownerId: 'you', title: 'Secret' }),
    ],
    { userId: 'me', heldTakeIds: noHeldTakes },
  );
  expect(usage.takes.map((take) => [take.id, takeStateOf(take)])).toEqual([
    ['mine', 'waiting'],
    ['old', 'device'],
  ]);
  expect(usage.others).toEqual({ count: 1, sizeBytes: 30_000 });
  expect(JSON.stringify(usage)).not.toContain('Secret');
});

test("counts every owned take as another user's while signed out", () => {
  const usage = deviceUsageOf([record({ ownerId: 'me' })], {
    userId: null,
    heldTakeIds: noHeldTakes,
  });
  expect(usage).toMatchObject({ takes: [], others: { count: 1 } });
});

test('reports until when the copy of an uploaded take is retained', () => {
  const [take] = deviceUsageOf([record({ receiptAtMs: 5000, ownerId: 'me' })], {
    userId: 'me',
    heldTakeIds: noHeldTakes,
  }).takes;
  expect(take && takeStateOf(take)).toBe('server');
  expect(take?.copyUntilMs).toBe(5000 + limits.localCopyRetentionMs);
});

test('counts trashed takes separately', () => {
  const usage = deviceUsageOf([record({ deletedAtMs: 1 }), record({ id: 'b' })], {
    userId: null,
    heldTakeIds: noHeldTakes,
  });
  expect([usage.takes.length, usage.trashed]).toEqual([1, { count: 1, sizeBytes: 30_000 }]);
});

test('shows a take that a page writes as recording, and one whose page died as on this device', () => {
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

test('counts takes of all users and import copies as used space', () => {
  const records = [
    record({ id: 'mine', ownerId: 'me' }),
    record({ id: 'theirs', ownerId: 'you' }),
    record({ id: 'old', deletedAtMs: 1 }),
  ];
  expect(deviceUsageOf(records, { userId: 'me', heldTakeIds: noHeldTakes }, 500).usedBytes).toBe(90_500);
});
