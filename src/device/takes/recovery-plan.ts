import { limits } from '#contract/limits.ts';
import { hasPendingChanges, type TakeRecord } from '#device/records/take-record.ts';
import type { TakeViewer } from './device-take.ts';
import type { OwnerStandings } from './owner-standings.ts';
import { isVisibleTo, ownerFor } from './viewer.ts';

/** Whether a user other than the owner of the take is signed in. Such takes are not recovered. */
function isForeign(record: TakeRecord, userId: string | null): boolean {
  return userId !== null && !isVisibleTo(record, { userId });
}

/** Whether the bytes can be uploaded: with an earlier capability, or by a user who may request one. */
function canBeSent(
  record: TakeRecord,
  userId: string | null,
  mayClaim: (takeId: string) => boolean,
): boolean {
  if (record.isRejected === true) return false;
  return record.upload !== null || (userId !== null && (record.ownerId !== null || mayClaim(record.id)));
}

/**
 * The takes that need a recovery worker, oldest first: those whose page ended before the journal was closed, and
 * those that are complete, have no receipt and can be uploaded now.
 */
export function takesToRecover(
  records: readonly TakeRecord[],
  { userId, heldTakeIds }: TakeViewer,
  mayClaim: (takeId: string) => boolean,
): TakeRecord[] {
  return records
    .filter(
      (record) => !heldTakeIds.has(record.id) && record.receiptAtMs === null && !isForeign(record, userId),
    )
    .filter((record) => record.state === 'recording' || canBeSent(record, userId, mayClaim))
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/** The takes of the signed-in user that have pending changes. */
export const takesToFlush = (records: readonly TakeRecord[], userId: string | null): TakeRecord[] =>
  records.filter(
    (record) => ownerFor(record, { userId }) === 'me' && mayBeOnServer(record) && hasPendingChanges(record),
  );

/** Whether the server may know the take, because it was registered once. */
export const mayBeOnServer = ({ upload, receiptAtMs }: Pick<TakeRecord, 'upload' | 'receiptAtMs'>): boolean =>
  upload !== null || receiptAtMs !== null;

/** Whether the account of a take is known to be deleted for longer than the server keeps its recordings. */
function hasGoneOwner({ ownerId }: TakeRecord, standings: OwnerStandings, nowMs: number): boolean {
  const owner = ownerId === null ? undefined : standings.get(ownerId);
  return owner?.standing === 'deleted' && nowMs - owner.sinceMs > limits.trashRetentionMs;
}

/**
 * The expired takes: copies more than seven days after the server's receipt, unless they have pending changes, takes
 * that were in the trash for more than thirty days, and takes whose account was deleted more than thirty days ago,
 * which nobody can sign in to see.
 */
export function takesToRemove(
  records: readonly TakeRecord[],
  { heldTakeIds, standings }: { heldTakeIds: ReadonlySet<string>; standings: OwnerStandings },
  nowMs: number,
): TakeRecord[] {
  return records.filter((record) => {
    if (heldTakeIds.has(record.id)) return false;
    if (hasGoneOwner(record, standings, nowMs)) return true;
    const isCopy =
      record.receiptAtMs !== null &&
      !hasPendingChanges(record) &&
      nowMs - record.receiptAtMs > limits.localCopyRetentionMs;
    return isCopy || (record.deletedAtMs !== null && nowMs - record.deletedAtMs > limits.trashRetentionMs);
  });
}
