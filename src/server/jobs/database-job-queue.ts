import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { uuidV7 } from '#base/uuid-v7.ts';
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
 */
export function createJobQueue(deps: { clock: Clock }): WakingJobQueue {
  const listeners = new Set<() => void>();
  return {
    async enqueue(queries, job) {
      const nowMs = deps.clock.nowMs();
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
          run_at: job.runAtMs ?? nowMs,
          lease_until: null,
          owner: null,
          fence: 0,
          error: null,
          created_at: nowMs,
          updated_at: nowMs,
          user_id: job.userId ?? null,
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
