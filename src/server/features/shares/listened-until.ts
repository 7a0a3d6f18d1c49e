import type { Clock } from '#base/clock.ts';
import { minute } from '#base/duration.ts';
import type { ReceivedMs } from '#server/features/recordings/media/received-of.ts';
import type { Queries } from '#server/storage/database/database.ts';

/**
 * How long a revoked live link counts: what is in transit when it is revoked may hold more than what was stored of it.
 */
const revokedCountsMs = 10 * minute;

/**
 * Up to where the listeners of a recording may have listened: as far behind what has arrived as the live link with the
 * shortest delay, or as far as any link let them before. If no link is live, `atMs` counts as the moment that was given,
 * so that a passage starts when it is started.
 * @param atMs counts as arrived; what has arrived may be more
 */
export const createListenedUntil =
  ({ clock, receivedMs }: { clock: Clock; receivedMs: ReceivedMs }) =>
  async (queries: Queries, recordingId: string, atMs = 0): Promise<number> => {
    const shares = await queries
      .selectFrom('shares')
      .select(['live_delay_ms', 'live_sent_until_ms', 'ended_at'])
      .where('recording_id', '=', recordingId)
      .execute();
    const arrivedMs = Math.max(atMs, await receivedMs(queries, recordingId));
    const countsFrom = clock.nowMs() - revokedCountsMs;
    const live = shares.filter(({ ended_at: endedAt }) => endedAt === null || endedAt > countsFrom);
    const lives = live.flatMap(({ live_delay_ms: delayMs }) =>
      delayMs === null ? [] : [arrivedMs - delayMs],
    );
    const before = shares.map(({ live_sent_until_ms: beforeMs }) => beforeMs ?? 0);
    return Math.max(0, ...before, ...(lives.length > 0 ? lives : [atMs]));
  };
