import { expect, test } from 'vitest';
import type { TakePassage } from '#device/takes/take-record.ts';
import { offRecordOf } from './off-record.ts';

const passage = (change: Partial<TakePassage>): TakePassage => ({
  id: 'a',
  atMs: 20_000,
  toMs: null,
  stored: null,
  ...change,
});

test.for<[string, Partial<TakePassage>]>([
  ['starting', {}],
  ['off-record', { stored: { fromMs: 10_000, toMs: null } }],
  ['ending', { toMs: 30_000, stored: { fromMs: 10_000, toMs: null } }],
  ['ending', { toMs: 30_000 }],
  ['on-record', { toMs: 30_000, stored: { fromMs: 10_000, toMs: 30_000 } }],
  ['rejected', { stored: 'rejected' }],
  ['rejected', { toMs: 30_000, stored: 'rejected' }],
])('is off the record only once the server has confirmed it: %s', ([status, change]) => {
  expect(offRecordOf([passage(change)]).status).toBe(status);
});

test('names the moment that the server confirmed, and a take without passages is on the record', () => {
  expect(offRecordOf([passage({ stored: { fromMs: 10_000, toMs: null } })])).toEqual({
    status: 'off-record',
    fromMs: 10_000,
  });
  expect(offRecordOf([])).toEqual({ status: 'on-record' });
});
