import { expect, test } from 'vitest';
import type { TakePassage } from '#device/records/take-record.ts';
import { listenerMuteOf, mutedSpansOf } from './listener-mute.ts';

const passage = (change: Partial<TakePassage>): TakePassage => ({
  id: 'a',
  atMs: 20_000,
  toMs: null,
  stored: null,
  ...change,
});

test.for<[string, Partial<TakePassage>]>([
  ['starting', {}],
  ['muted', { stored: { fromMs: 10_000, toMs: null } }],
  ['ending', { toMs: 30_000, stored: { fromMs: 10_000, toMs: null } }],
  ['ending', { toMs: 30_000 }],
  ['heard', { toMs: 30_000, stored: { fromMs: 10_000, toMs: 30_000 } }],
  ['rejected', { stored: 'rejected' }],
  ['rejected', { toMs: 30_000, stored: 'rejected' }],
])('is muted for listeners only once the server has confirmed it: %s', ([status, change]) => {
  expect(listenerMuteOf([passage(change)]).status).toBe(status);
});

test('names the moment that the server confirmed, and a take without passages is heard', () => {
  expect(listenerMuteOf([passage({ stored: { fromMs: 10_000, toMs: null } })])).toEqual({
    status: 'muted',
    fromMs: 10_000,
  });
  expect(listenerMuteOf([])).toEqual({ status: 'heard' });
});

test('draws what the server withholds, or what was pressed until it confirms, and nothing of a rejected passage', () => {
  expect(
    mutedSpansOf([
      passage({ toMs: 30_000, stored: { fromMs: 10_000, toMs: 30_000 } }),
      passage({ atMs: 40_000, stored: 'rejected' }),
      passage({ atMs: 50_000 }),
    ]),
  ).toEqual([
    { fromMs: 10_000, toMs: 30_000 },
    { fromMs: 50_000, toMs: null },
  ]);
});
