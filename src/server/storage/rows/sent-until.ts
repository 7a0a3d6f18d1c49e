import type { Queries } from '#server/storage/database/database.ts';

/** Stores up to where the listeners of a link may have listened, unless more is stored. */
export async function raiseSentUntil(queries: Queries, shareId: string, untilMs: number): Promise<void> {
  const sentMs = Math.max(0, Math.ceil(untilMs));
  await queries
    .updateTable('shares')
    .set({ live_sent_until_ms: sentMs })
    .where('id', '=', shareId)
    .where((eb) => eb.or([eb('live_sent_until_ms', 'is', null), eb('live_sent_until_ms', '<', sentMs)]))
    .execute();
}

/**
 * Stores, when a finished recording is reopened, that every link that was open since it was finished has given all of
 * it, but for those that stay closed after Stop.
 */
export async function storeAllSent(
  queries: Queries,
  recording: { id: string; duration_ms: number; finished_at: number },
): Promise<void> {
  const sentMs = Math.ceil(recording.duration_ms);
  await queries
    .updateTable('shares')
    .set({ live_sent_until_ms: sentMs })
    .where('recording_id', '=', recording.id)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', recording.finished_at)]))
    .where((eb) =>
      eb.or([
        eb('live_delay_ms', 'is', null),
        eb('is_held_after_stop', '=', 0),
        eb('released_at', 'is not', null),
      ]),
    )
    .where((eb) => eb.or([eb('live_sent_until_ms', 'is', null), eb('live_sent_until_ms', '<', sentMs)]))
    .execute();
}
