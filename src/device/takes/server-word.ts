import { isPending } from '#device/records/pending-change.ts';
import type { TakeRecord } from '#device/records/take-record.ts';

/**
 * What the server says of a recording of which this device has a take. `unknown`: it did not answer, or does not know
 * the recording, which also a server that was restored from a backup may not.
 */
export type ServerWord =
  | { type: 'stored' }
  | { type: 'trashed'; atMs: number }
  /** Its owner deleted it permanently. */
  | { type: 'deleted' }
  | { type: 'unknown' };

/** What becomes of the take: it is changed, its copy is dropped, or it stays as it is. */
export type TakeFate = { type: 'changed'; take: TakeRecord } | { type: 'dropped' } | { type: 'same' };

const same: TakeFate = { type: 'same' };
const changed = (take: TakeRecord): TakeFate => ({ type: 'changed', take });

/**
 * What the server's word means for a take on this device. A change that the device has not sent yet is newer than the
 * word, and stays.
 *
 * - Moved to the trash or restored elsewhere: so it is here.
 * - Deleted permanently, and the server had all of it: the owner wants it gone, so the copy is dropped.
 * - Deleted permanently before the server had all of it: the take is rejected, and no longer in the trash. Only its
 *   user deletes the only bytes, or saves them to the library again.
 */
export function fateOf(take: TakeRecord, word: ServerWord, isHeld: boolean): TakeFate {
  if (word.type === 'unknown') return same;
  if (word.type === 'deleted') return fateOfDeleted(take, isHeld);
  const deletedAtMs = word.type === 'trashed' ? word.atMs : null;
  const isPlaced =
    isPending(take.pendingChanges, { kind: 'trash' }) ||
    (deletedAtMs === null) === (take.deletedAtMs === null);
  return isPlaced ? same : changed({ ...take, deletedAtMs });
}

function fateOfDeleted(take: TakeRecord, isHeld: boolean): TakeFate {
  if (take.receiptAtMs !== null && !isHeld) return { type: 'dropped' };
  if (take.isRejected === true && take.rejection === 'deleted' && take.deletedAtMs === null) return same;
  // It leaves the trash: there is nothing to restore, and the only bytes must not expire there.
  return changed({ ...take, isRejected: true, rejection: 'deleted', deletedAtMs: null, pendingChanges: [] });
}

/** What became of a stopped take since its result was shown. `here`: nothing. */
export type ResultFate = 'here' | 'recorded-elsewhere' | 'trashed' | 'deleted';

/**
 * A result follows the device's record of its take and the server's word, not the page's memory of it.
 * @param known.isListed whether the list has been read since Stop. Before, it still says that the take is recorded.
 */
export function resultFateOf(
  takeId: string,
  takes: readonly { id: string; state: string; deletedAtMs: number | null }[],
  { removedIds, isListed }: { removedIds: ReadonlySet<string>; isListed: boolean },
): ResultFate {
  if (removedIds.has(takeId) && !takes.some(({ id }) => id === takeId)) return 'deleted';
  const take = takes.find(({ id }) => id === takeId);
  if (take?.state === 'recording' && isListed) return 'recorded-elsewhere';
  return take === undefined || take.deletedAtMs === null ? 'here' : 'trashed';
}
