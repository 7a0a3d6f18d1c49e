import type { Queries } from '#server/storage/database/database.ts';

/**
 * Ends the part of every link to a recording where the recording ends now, so that no link plays what is added to it.
 * Links whose part ended before stay as they are.
 * @returns how many were changed
 */
export async function boundLinks(
  queries: Queries,
  { id, duration_ms: durationMs }: { id: string; duration_ms: number },
  nowMs: number,
): Promise<number> {
  const endMs = Math.floor(durationMs);
  const { numUpdatedRows } = await queries
    .updateTable('shares')
    .set((eb) => ({ to_ms: endMs, updated_at: nowMs, revision: eb('revision', '+', 1) }))
    .where('recording_id', '=', id)
    .where('ended_at', 'is', null)
    .where('from_ms', '<', endMs)
    .where((eb) => eb.or([eb('to_ms', 'is', null), eb('to_ms', '>', endMs)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
