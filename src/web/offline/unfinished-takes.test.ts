import { expect, test } from 'vitest';
import { isAnyUnfinished } from './unfinished-takes.ts';

const stopped = { id: '1', state: 'stopped', ownerId: null, receiptAtMs: null } as const;
const held = new Set(['1']);

test('a take that a page records needs its page', () => {
  expect(isAnyUnfinished([{ ...stopped, state: 'recording' }], held)).toBe(true);
});

test('a take that is being uploaded needs its page until the receipt', () => {
  expect(isAnyUnfinished([{ ...stopped, ownerId: 'anna' }], held)).toBe(true);
  expect(isAnyUnfinished([{ ...stopped, ownerId: 'anna', receiptAtMs: 1 }], held)).toBe(false);
});

test('a stopped take without an owner, or one that no page holds, needs no page', () => {
  expect(isAnyUnfinished([stopped], held)).toBe(false);
  expect(isAnyUnfinished([{ ...stopped, state: 'recording' }], new Set())).toBe(false);
});
