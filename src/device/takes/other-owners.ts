import type { TakeRecord } from '#device/records/take-record.ts';
import { lostStandingOf, type LostStanding, type OwnerStandings } from './owner-standings.ts';
import { isVisibleTo, type ViewerFacts } from './viewer.ts';

/**
 * The takes of one other account on this device, without those in the trash of an account that exists. Nothing else
 * of them is shown.
 */
export interface OtherOwner {
  ownerId: string;
  /** The masked address; null if this device does not know it. */
  name: string | null;
  count: number;
  /** Those that the server does not have completely. */
  unfinishedCount: number;
  /** Why nobody can sign in to the account; null if its owner can. */
  standing: LostStanding | null;
}

/**
 * The accounts that have takes on this device of which the viewer only learns that they exist, in the order of their
 * oldest take. An empty list says that there are none, so that no surface says so while there are some.
 */
export function otherOwnersOf(
  records: readonly TakeRecord[],
  viewer: ViewerFacts,
  { nameOf, standings }: { nameOf: (ownerId: string) => string | null; standings: OwnerStandings },
): OtherOwner[] {
  const owners = new Map<string, OtherOwner>();
  for (const record of records) {
    const { ownerId } = record;
    if (ownerId === null || isVisibleTo(record, viewer)) continue;
    // Nobody can open the trash of a deleted account.
    if (record.deletedAtMs !== null && lostStandingOf(standings, ownerId) !== 'deleted') continue;
    const known = owners.get(ownerId) ?? {
      ownerId,
      name: nameOf(ownerId),
      count: 0,
      unfinishedCount: 0,
      standing: lostStandingOf(standings, ownerId),
    };
    owners.set(ownerId, {
      ...known,
      count: known.count + 1,
      unfinishedCount: known.unfinishedCount + (record.receiptAtMs === null ? 1 : 0),
    });
  }
  return [...owners.values()];
}
