import type { Queries } from '#server/storage/database/database.ts';

interface NewJob {
  kind: string;
  payload: unknown;
  /** The user whose data the job processes; absent if it concerns no user or all users. Users take turns. */
  userId?: string;
  /** Allows at most one queued or running job of this kind and key. */
  dedupeKey?: string;
  /** Unix milliseconds; defaults to now. */
  runAtMs?: number;
  priority?: number;
}

/**
 * The expected length of a job, which decides the slots it may use. Short jobs (e-mail, housekeeping) may use
 * every slot, and one is reserved for them. Normal jobs (making a take ready) may use the others, one of which is
 * closed to long jobs (imports, exports, verification). Each user has at most one normal or long job running.
 */
export type JobLane = 'short' | 'normal' | 'long';

/**
 * Processes one kind of job; must be safe to repeat. A failed job is retried with back-off, up to ten attempts. If
 * the disk or a database is full, it is retried every minute without a limit.
 */
export interface JobHandler {
  kind: string;
  /** Defaults to short. */
  lane?: JobLane;
  /**
   * The time limit of one attempt; defaults to the lane's limit. An attempt that exceeds it is aborted through its
   * signal, and the job is set aside.
   */
  budgetMs?: number;
  /**
   * Called when the job is set aside: it exceeded its time limit, or its process ended twice during the job. It is
   * not retried automatically.
   */
  onSetAside?(payload: unknown): Promise<void>;
  run(
    job: { id: string; payload: unknown; attempts: number },
    context: { signal: AbortSignal },
  ): Promise<void>;
}

/** Enqueues jobs inside the transaction that requires them. */
export interface JobQueue {
  enqueue(queries: Queries, job: NewJob): Promise<void>;
  /** Notifies the runner of this process that a job may be due. */
  wake(): void;
}
