import { createHash } from 'node:crypto';
import { uuidV7 } from '#base/uuid-v7.ts';
import { type DatabaseTime, readTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';

export interface Schedule {
  kind: string;
  everyMs: number;
}

/** Returns one id per kind and time slot, so that only the first server to insert the job succeeds. */
function slotId(schedule: Schedule, slotStartMs: number): string {
  return uuidV7(
    slotStartMs,
    createHash('sha256').update(`${schedule.kind} ${schedule.everyMs} ${slotStartMs}`).digest(),
  );
}

/**
 * Enqueues each schedule's job for the current time slot, once for all servers and restarts. A kind whose last job
 * is still live gets none. Slots count from the Unix epoch, so an hourly job runs on the hour, or immediately if
 * the server was down then.
 */
export async function enqueueScheduled(
  deps: { database: Database; time: DatabaseTime },
  schedules: readonly Schedule[],
): Promise<void> {
  if (schedules.length === 0) return;
  const nowMs = await readTime(deps.database.queries, deps.time);
  for (const schedule of schedules) {
    const slotStartMs = Math.floor(nowMs / schedule.everyMs) * schedule.everyMs;
    await deps.database.queries
      .insertInto('jobs')
      .values({
        id: slotId(schedule, slotStartMs),
        kind: schedule.kind,
        dedupe_key: 'scheduled',
        payload: 'null',
        state: 'queued',
        priority: 0,
        attempts: 0,
        run_at: slotStartMs,
        lease_until: null,
        owner: null,
        fence: 0,
        error: null,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
