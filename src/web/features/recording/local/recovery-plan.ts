import { limits } from '#contract/limits.ts';
import { hasPendingChanges, type TakeRecord } from '#device/takes/take-record.ts';
import type { TakeViewer } from './local-take.ts';

/** Whether somebody else is signed in than the person this take belongs to: then it is left alone. */
function isForeign(record: TakeRecord, userId: string | null): boolean {
  return record.ownerId !== null && userId !== null && record.ownerId !== userId;
}

/** Whether the bytes have somebody to go to: a right to upload from before, or a person who may fetch one. */
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

/** The takes of whoever is signed in of which the server has something to hear. */
export const takesToTell = (records: readonly TakeRecord[], userId: string | null): TakeRecord[] =>
  records.filter(
    (record) =>
      record.ownerId !== null && record.ownerId === userId && mayBeThere(record) && hasPendingChanges(record),
  );

/** Whether the server has been asked to take it. */
export const mayBeThere = ({ upload, receiptAtMs }: Pick<TakeRecord, 'upload' | 'receiptAtMs'>): boolean =>
  upload !== null || receiptAtMs !== null;

/**
 * The copies whose time is over: seven days after the server's receipt, unless it has something to hear, or
 * thirty in the trash.
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
      nowMs - record.receiptAtMs > limits.localCopyKeptMs;
    return isCopy || (record.deletedAtMs !== null && nowMs - record.deletedAtMs > limits.trashKeptMs);
  });
}
