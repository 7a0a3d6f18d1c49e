import { lostStandingOf, type OwnerStandings } from './owner-standings.ts';
import type { Rejection, TakeRecord } from '#device/records/take-record.ts';

/**
 * Why the server doesn't take a take. Waiting ends none of them but `account-off`, which only an administrator can
 * end. `unknown`: an earlier build stored no reason.
 */
export type BlockReason = 'account-deleted' | 'account-off' | Rejection | 'unknown';

/**
 * Why the server doesn't take a take; null if it does, or may. It is asked at each use, because an account can be
 * turned on again.
 */
export function blockReasonOf(
  { ownerId, isRejected, rejection }: Pick<TakeRecord, 'ownerId' | 'isRejected' | 'rejection'>,
  standings: OwnerStandings,
): BlockReason | null {
  const standing = lostStandingOf(standings, ownerId);
  if (standing === 'deleted') return 'account-deleted';
  if (isRejected === true) return rejection ?? 'unknown';
  return standing === 'disabled' ? 'account-off' : null;
}
