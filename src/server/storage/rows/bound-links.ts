import type { Queries } from '#server/storage/database/database.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';

/**
 * Ends the part of every link to a recording where the recording ends now, so that no link plays what is added to it
 * or gives the unchanged file. Links whose part ended before stay as they are.
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
    .set((eb) => ({
      to_ms: endMs,
      // The unchanged file will have what is added.
      download: eb
        .case()
        .when('download', '=', 'original')
        .then<ShareRow['download']>('formats')
        .else(eb.ref('download'))
        .end(),
      updated_at: nowMs,
      revision: eb('revision', '+', 1),
    }))
    .where('recording_id', '=', id)
    .where('ended_at', 'is', null)
    .where('from_ms', '<', endMs)
    .where((eb) => eb.or([eb('to_ms', 'is', null), eb('to_ms', '>', endMs)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Ends the part of links before a segment that is added to a finished recording. The server measures where the recording
 * ended, the device where it continues; where these differ, a part would reach a little into the new segment.
 */
export async function endLinksBefore(
  queries: Queries,
  { id, duration_ms: durationMs }: { id: string; duration_ms: number },
  { startMs, nowMs }: { startMs: number; nowMs: number },
): Promise<void> {
  await queries
    .updateTable('shares')
    .set((eb) => ({
      // A part that starts there keeps a millisecond, in which no packet fits.
      to_ms: eb
        .case()
        .when('from_ms', '<', startMs)
        .then(startMs)
        .else(eb('from_ms', '+', 1))
        .end(),
      updated_at: nowMs,
      revision: eb('revision', '+', 1),
    }))
    .where('recording_id', '=', id)
    .where('ended_at', 'is', null)
    .where('to_ms', '>', startMs)
    .where('to_ms', '<=', Math.ceil(durationMs))
    .execute();
}
