import { limits } from '#contract/limits.ts';
import { hasPendingChanges, type TakeRecord } from './take-record.ts';
import type { TakeViewer } from './device-take.ts';
import { isVisibleTo, ownerFor } from './viewer.ts';

/** Whether another user than the owner of the take is signed in: then the take is left alone. */
function isForeign(record: TakeRecord, userId: string | null): boolean {
  return userId !== null && !isVisibleTo(record, userId);
}

/** Whether the bytes can be uploaded: with a capability from before, or by a user who may request one. */
function canBeSent(
  record: TakeRecord,
  userId: string | null,
  mayClaim: (takeId: string) => boolean,
): boolean {
  return record.upload !== null || (userId !== null && (record.ownerId !== null || mayClaim(record.id)));
}

/**
 * The takes that need a recovery worker, oldest first: those whose page died before the journal was closed,
 * and those that are whole but not receipted and could be sent now.
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
    (record) => ownerFor(record, userId) === 'me' && mayBeOnServer(record) && hasPendingChanges(record),
  );

/** Whether the take was ever registered on the server. */
export const mayBeOnServer = ({ upload, receiptAtMs }: Pick<TakeRecord, 'upload' | 'receiptAtMs'>): boolean =>
  upload !== null || receiptAtMs !== null;

/**
 * The takes whose time is over: copies seven days after the server's receipt, unless they have pending changes, and
 * takes that were in the trash for thirty days.
 */
export function takesToRemove(
  records: readonly TakeRecord[],
  heldTakeIds: ReadonlySet<string>,
  nowMs: number,
): TakeRecord[] {
  return records.filter((record) => {
    if (heldTakeIds.has(record.id)) return false;
    const isCopy =
      record.receiptAtMs !== null &&
      !hasPendingChanges(record) &&
      nowMs - record.receiptAtMs > limits.localCopyRetentionMs;
    return isCopy || (record.deletedAtMs !== null && nowMs - record.deletedAtMs > limits.trashRetentionMs);
  });
}
