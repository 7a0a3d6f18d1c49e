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
  /** Higher first, within the lane. A quarter of the claims ignores it, so that no job waits for ever. Defaults to 0. */
  priority?: number;
}

/**
 * What a job is for, which decides the slots it may use (`job-lanes.ts`). Each lane has slots of its own, so no job
 * waits for one of another lane:
 * - `short`: e-mail and other jobs of seconds
 * - `normal`: making a take ready
 * - `long`: imports, exports, and sound for listeners, which somebody waits for
 * - `background`: what nobody waits for, such as verification and backups. Such a job returns `'again'` after a few
 *   seconds, so that other kinds get their turn.
 */
export type JobLane = 'short' | 'normal' | 'long' | 'background';

/** The priority of jobs that somebody waits for, within their lane. */
export const awaitedPriority = 1;

interface JobContext {
  /** Aborts when the attempt must end: the server stops, the lease is lost, or the time limit is reached. */
  signal: AbortSignal;
  /**
   * Notes that the job has stored a part of its work. Earlier attempts and deaths of processes no longer count, so that
   * a job of hours is not set aside because of two restarts.
   */
  progressed: () => Promise<void>;
}

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
  /**
   * @returns `'again'` if work is left: the job returns to the queue as the same job, with its attempts reset, and is
   * continued after others had their turn
   */
  run(
    job: {
      id: string;
      payload: unknown;
      attempts: number;
      /** When the job was enqueued, in Unix milliseconds; the same for every part of a continued job. */
      enqueuedAtMs: number;
    },
    context: JobContext,
  ): Promise<'again' | void>;
}

/** Enqueues jobs inside the transaction that requires them. */
export interface JobQueue {
  enqueue(queries: Queries, job: NewJob): Promise<void>;
  /** Notifies the runner of this process that a job may be due. */
  wake(): void;
}
