import { expect, test } from 'vitest';
import type { LostStanding } from './owner-standings.ts';
import { blockReasonOf } from './block-reason.ts';
import { rejectionOfCode, type TakeRecord } from '#device/records/take-record.ts';

const standings = new Map(
  (['deleted', 'disabled'] as const).map(
    (standing): [LostStanding, { standing: LostStanding; sinceMs: number }] => [
      standing,
      { standing, sinceMs: 0 },
    ],
  ),
);

test.each([
  ['of an account that exists', { ownerId: 'ana' }, null],
  ['of nobody', { ownerId: null }, null],
  ['of a deleted account', { ownerId: 'deleted' }, 'account-deleted'],
  [
    'of a deleted account, and rejected before',
    { ownerId: 'deleted', isRejected: true, rejection: 'taken' },
    'account-deleted',
  ],
  ['of an account that is turned off', { ownerId: 'disabled' }, 'account-off'],
  [
    'deleted elsewhere, of an account that is turned off',
    { ownerId: 'disabled', isRejected: true, rejection: 'deleted' },
    'deleted',
  ],
  ['rejected by an earlier build', { ownerId: 'ana', isRejected: true }, 'unknown'],
] as [string, Pick<TakeRecord, 'ownerId' | 'isRejected' | 'rejection'>, string | null][])(
  'a take %s is not taken: %3$s',
  (_what, take, blockReason) => {
    expect(blockReasonOf(take, standings)).toBe(blockReason);
  },
);

test.each([
  ['purged', 'deleted'],
  ['not-found', 'taken'],
  ['already-finished', 'finished'],
  ['validation', 'invalid'],
  ['malformed-request', 'invalid'],
])('the error %s rejects a take as %s', (code, rejection) => {
  expect(rejectionOfCode(code)).toBe(rejection);
});
