import type { TakeRecord } from '#device/records/take-record.ts';
import { call } from '#web/api/call.ts';

/**
 * Sends whether a take is in the trash. Says whether a restore undoes the move to the trash, because the server leaves
 * its links off otherwise.
 */
export function sendPlace({
  id,
  ownerId,
  deletedAtMs,
  isTrashUndone,
}: Pick<TakeRecord, 'id' | 'ownerId' | 'deletedAtMs' | 'isTrashUndone'>): Promise<unknown> {
  const about = { params: { recordingId: id }, hold: { owner: ownerId } };
  if (deletedAtMs !== null) return call('trashRecording', about);
  return call('restoreRecording', { ...about, query: { isUndo: isTrashUndone ? 'true' : 'false' } });
}
