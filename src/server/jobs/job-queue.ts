import type { Queries } from '#server/storage/database/database.ts';

interface NewJob {
  kind: string;
  payload: unknown;
  /**
   * Whose data it is about. Jobs are taken by turns between users; absent where it is nobody's or
   * everybody's.
   */
  userId?: string;
  /** At most one queued or running job of this kind and key. */
  dedupeKey?: string;
  /** Unix milliseconds; now when absent. */
  runAtMs?: number;
  priority?: number;
}

/**
 * How long a job may take, and so which slots it may use. Short jobs (mail, housekeeping) may use every slot,
 * and one belongs to them alone. Normal jobs (a take becomes ready) may use the rest, of which one is closed
 * to long jobs (imports, exports, verification). Of normal and long jobs a user has one running at a time.
 */
export type JobLane = 'short' | 'normal' | 'long';

/**
 * Does one kind of job; must be safe to run again. Throwing queues it again with back-off, ten times; where
 * the disk or a database is full, after a minute, however often.
 */
export interface JobHandler {
  kind: string;
  /** Short when absent. */
  lane?: JobLane;
  /**
   * How long one attempt may take; the budget of the lane when absent. An attempt that takes longer is
   * stopped by its signal, and the job is set aside.
   */
  budgetMs?: number;
  /**
   * Learns that the job is set aside: it took longer than its budget, or its process ended twice while it
   * ran. Nothing tries it again by itself.
   */
  onSetAside?(payload: unknown): Promise<void>;
  run(
    job: { id: string; payload: unknown; attempts: number },
    context: { signal: AbortSignal },
  ): Promise<void>;
}

/** Puts work aside, inside the business transaction that asks for it. */
export interface JobQueue {
  enqueue(queries: Queries, job: NewJob): Promise<void>;
  /** Tells the runner of this process that something may be due. */
  wake(): void;
}
