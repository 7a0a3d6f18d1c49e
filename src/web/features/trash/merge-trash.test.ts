import { expect, test } from 'vitest';
import type { Recording } from '#contract/recordings.ts';
import type { DeviceFacts } from '#device/takes/recording-state.ts';
import { mergeTrash, type TrashedTake } from './use-trash.ts';

const recording = (id: string, deletedAtMs: number, values: Partial<Recording> = {}): Recording =>
  ({
    id,
    title: 'from the server',
    deletedAt: new Date(deletedAtMs).toISOString(),
    recordedTime: { kind: 'unknown' },
    durationMs: 3000,
    state: 'ready',
    source: 'microphone',
    ...values,
  }) as Recording;

const take = (id: string, deletedAtMs: number, receipt: DeviceFacts['receipt'] = 'whole'): TrashedTake => ({
  id,
  title: 'from the device',
  deletedAtMs,
  recordedTime: { kind: 'unknown' },
  durationMs: 9000,
  isOnServer: false,
  hasNoSound: false,
  take: {
    state: 'stopped',
    durationMs: 9000,
    facts: { isCapturing: false, receipt, isStored: true, owner: 'me', transfer: 'none' },
  },
});

test('lists a recording of both places once, as on the server, and the last deleted first', () => {
  const merged = mergeTrash([recording('a', 10), recording('b', 30)], [take('a', 12), take('c', 20)]);
  expect(merged.map(({ id, title }) => [id, title])).toEqual([
    ['b', 'from the server'],
    ['c', 'from the device'],
    ['a', 'from the server'],
  ]);
});

test('shows the length that this device has while the server has a part', () => {
  const lengthOf = (values: Partial<Recording>, receipt: DeviceFacts['receipt']) =>
    mergeTrash([recording('a', 10, values)], [take('a', 10, receipt)])[0]?.durationMs;
  expect(lengthOf({ state: 'receiving' }, 'none')).toBe(9000);
  expect(lengthOf({ state: 'ready' }, 'none')).toBe(9000);
  expect(lengthOf({ state: 'ready' }, 'whole')).toBe(3000);
});
