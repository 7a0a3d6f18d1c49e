import type { Queries } from '#server/storage/database/database.ts';

/**
 * Leaves the links to restored recordings off until their owner turns them on. Call it in the transaction that
 * restores them from the trash. Links that were off before stay as they are.
 */
export async function leaveLinksOff(
  queries: Queries,
  recordingIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await queries
    .updateTable('shares')
    .set((eb) => ({ off_at: nowMs, updated_at: nowMs, revision: eb('revision', '+', 1) }))
    .where('recording_id', 'in', recordingIds)
    .where('ended_at', 'is', null)
    .where('off_at', 'is', null)
    .execute();
}
