import { minute } from '#base/duration.ts';
import type { Queries } from '#server/storage/database/database.ts';

/** How long a live link counts after it was revoked: its listeners may have listened until then. */
const revokedCountsMs = 10 * minute;

/**
 * Up to where the listeners of a recording's live links may have listened, if everything before `atMs` has arrived:
 * as far behind as the link with the shortest delay, or as far as an earlier delay let them. `atMs` if no link is live,
 * so that a passage starts when it is started.
 */
export const createListenedUntil =
  (clock: { nowMs: () => number }) =>
  async (queries: Queries, recordingId: string, atMs: number): Promise<number> => {
    const shares = await queries
      .selectFrom('shares')
      .select(['live_delay_ms', 'live_sent_until_ms'])
      .where('recording_id', '=', recordingId)
      .where((eb) =>
        eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', clock.nowMs() - revokedCountsMs)]),
      )
      .execute();
    const sentUntilMs = shares.flatMap(({ live_delay_ms: delayMs, live_sent_until_ms: beforeMs }) => [
      ...(delayMs === null ? [] : [atMs - delayMs]),
      ...(beforeMs === null ? [] : [beforeMs]),
    ]);
    const isLive = shares.some(({ live_delay_ms: delayMs }) => delayMs !== null);
    return isLive ? Math.max(...sentUntilMs) : atMs;
  };
