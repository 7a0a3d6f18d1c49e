import { expect, test } from 'vitest';
import { recordingLockName } from '#device/takes/recording-lock.ts';
import { isAnyUnfinished } from './unfinished-takes.ts';

const stopped = { id: '1', state: 'stopped', ownerId: null, receiptAtMs: null } as const;
const lock = [recordingLockName('1')];

test('a take that some page records needs its page', () => {
  expect(isAnyUnfinished([{ ...stopped, state: 'recording' }], lock)).toBe(true);
});

test('so does one that is on its way to the server, until the receipt', () => {
  expect(isAnyUnfinished([{ ...stopped, ownerId: 'anna' }], lock)).toBe(true);
  expect(isAnyUnfinished([{ ...stopped, ownerId: 'anna', receiptAtMs: 1 }], lock)).toBe(false);
});

test('a whole take of nobody does not, nor one that no page holds', () => {
  expect(isAnyUnfinished([stopped], lock)).toBe(false);
  expect(isAnyUnfinished([{ ...stopped, state: 'recording' }], ['import:2', 'other'])).toBe(false);
});
