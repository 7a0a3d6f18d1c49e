import { expect, test } from 'vitest';
import { isAnyUnfinished } from './unfinished-takes.ts';

const stopped = { id: '1', state: 'stopped', ownerId: null, receiptAtMs: null } as const;
const held = new Set(['1']);

test('a take that some page records needs its page', () => {
  expect(isAnyUnfinished([{ ...stopped, state: 'recording' }], held)).toBe(true);
});

test('so does one that is on its way to the server, until the receipt', () => {
  expect(isAnyUnfinished([{ ...stopped, ownerId: 'anna' }], held)).toBe(true);
  expect(isAnyUnfinished([{ ...stopped, ownerId: 'anna', receiptAtMs: 1 }], held)).toBe(false);
});

test('a whole take of nobody does not, nor one that no page holds', () => {
  expect(isAnyUnfinished([stopped], held)).toBe(false);
  expect(isAnyUnfinished([{ ...stopped, state: 'recording' }], new Set())).toBe(false);
});
