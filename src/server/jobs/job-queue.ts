import type { Queries } from '../storage/database/database.ts';

interface NewJob {
  kind: string;
  payload: unknown;
  /** At most one queued or running job of this kind and key. */
  dedupeKey?: string;
  /** Unix milliseconds; now when absent. */
  runAtMs?: number;
  priority?: number;
}

/** Thrown by a job that cannot be done now through no fault of its own. It is queued again without counting the attempt. */
export class JobPostponedError extends Error {
  readonly waitMs: number;
  constructor(waitMs: number, cause: unknown) {
    super('the job has to wait', { cause });
    this.name = 'JobPostponedError';
    this.waitMs = waitMs;
  }
}

/** Does one kind of job; must be safe to run again. Throwing queues it again with back-off, ten times. */
export interface JobHandler {
  kind: string;
  /** May take hours: such jobs together always leave a slot to the others, so that no letter waits for them. */
  isLong?: boolean;
  run(job: { id: string; payload: unknown; attempts: number }, context: { signal: AbortSignal }): Promise<void>;
}

/** Puts work aside, inside the business transaction that asks for it. */
export interface JobQueue {
  enqueue(queries: Queries, job: NewJob): Promise<void>;
  /** Tells the runner of this process that something may be due. */
  wake(): void;
}
