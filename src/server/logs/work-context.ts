import { AsyncLocalStorage } from 'node:async_hooks';

/** The work that the running code belongs to. */
export interface WorkContext {
  /** The request that is handled, or that caused the job; null for jobs without one. */
  requestId: string | null;
  /** The job that runs; null in a request. */
  jobId: string | null;
}

/** Follows all asynchronous calls of one request or job, so that jobs and log lines get its ids. */
export const workContext = new AsyncLocalStorage<WorkContext>();
