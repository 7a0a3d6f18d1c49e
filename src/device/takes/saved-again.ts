import type { TakeRecord } from '#device/records/take-record.ts';

/**
 * The take under a new id, as if no server had heard of it, because a purged id is never used again; null if it is not
 * the user's, still runs, or was not deleted permanently. Its files keep their upload ids: those of a purged recording
 * are gone.
 */
export function savedAgain(
  take: TakeRecord,
  { id, userId }: { id: string; userId: string | null },
): TakeRecord | null {
  if (take.ownerId === null || take.ownerId !== userId) return null;
  if (take.state !== 'stopped' || take.isRejected !== true || take.rejection !== 'deleted') return null;
  const { isRejected: _isRejected, rejection: _rejection, isTrashUndone: _isTrashUndone, ...rest } = take;
  return {
    ...rest,
    id,
    markers: take.markers.map((marker) => ({ ...marker, sent: false })),
    ...(take.notes && { notes: take.notes.map((note) => ({ ...note, sentText: null })) }),
    ...(take.passages && { passages: take.passages.map((passage) => ({ ...passage, stored: null })) }),
    upload: null,
    receiptAtMs: null,
    deletedAtMs: null,
    goesOn: false,
    pendingChanges: [],
  };
}
