import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { sql } from 'kysely';
import { uuidV7 } from '#base/uuid-v7.ts';
import { type DatabaseTime, timeOf } from '#server/storage/database/database-time.ts';
import { workContext } from '#server/logs/work-context.ts';
import type { JobQueue } from './job-queue.ts';

/** The queue as its runner uses it. */
export interface WakingJobQueue extends JobQueue {
  /**
   * Calls `listener` on every wake.
   * @returns a function that removes the listener
   */
  onWake(listener: () => void): () => void;
}

/**
 * Stores jobs as rows of the main database, so that a job exists exactly if the transaction that enqueued it was
 * committed.
 * @param deps.time when jobs are due; the time of the clock unless given
 */
export function createJobQueue({
  clock,
  time = timeOf(clock),
}: {
  clock: Clock;
  time?: DatabaseTime;
}): WakingJobQueue {
  const listeners = new Set<() => void>();
  return {
    async enqueue(queries, job) {
      const nowMs = clock.nowMs();
      const now = time();
      // What this process calls a time is a delay to the others, whose clocks differ.
      const delayMs = job.runAtMs === undefined ? 0 : job.runAtMs - nowMs;
      await queries
        .insertInto('jobs')
        .values({
          id: uuidV7(nowMs, randomBytes(16)),
          kind: job.kind,
          dedupe_key: job.dedupeKey ?? null,
          payload: JSON.stringify(job.payload ?? null),
          state: 'queued',
          priority: job.priority ?? 0,
          attempts: 0,
          run_at: sql<number>`${now} + ${sql.lit(delayMs)}`,
          lease_until: null,
          owner: null,
          fence: 0,
          error: null,
          created_at: now,
          updated_at: now,
          user_id: job.userId ?? null,
          request_id: workContext.getStore()?.requestId ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    wake() {
      for (const listener of listeners) listener();
    },
    onWake(listener) {
      // A wake may come from inside a transaction; the work it starts must not run in that transaction's context.
      const outside = AsyncLocalStorage.bind(listener);
      listeners.add(outside);
      return () => void listeners.delete(outside);
    },
  };
}
