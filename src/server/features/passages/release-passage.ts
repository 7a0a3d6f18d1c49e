import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { PassagesDeps } from './put-passage.ts';

/**
 * Puts a passage of a finished recording back on the record. Open pages of its links load it again. Idempotent.
 * @throws not-found (404); still-recording (409), because bytes that live listeners have must not change
 */
export async function releasePassage(
  { access, database, clock, announce }: PassagesDeps,
  principal: Principal | null,
  { id, recordingId }: { id: string; recordingId: string },
): Promise<void> {
  const recording = await access.recording(principal, recordingId, 'own');
  if (isUnfinished(recording)) throw new ProblemError('still-recording');
  const nowMs = clock.nowMs();
  await database.transaction(async (transaction) => {
    await lockRecordings(transaction, [recordingId]);
    const { numUpdatedRows } = await transaction
      .updateTable('passages')
      .set({ released_at: nowMs })
      .where('id', '=', id)
      .where('recording_id', '=', recordingId)
      .where('released_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n)
      await transaction
        .updateTable('recordings')
        .set({ updated_at: nowMs })
        .where('id', '=', recordingId)
        .execute();
  });
  announce.recordingChanged(recording.owner_id, recordingId);
}
