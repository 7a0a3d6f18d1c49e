import type { HttpApp } from '#server/http/app.ts';
import type { Route } from '#server/http/route.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { Schedule } from '#server/jobs/job-schedule.ts';

/** Runs as long as the server does, beside its requests and jobs. */
export interface Service {
  /** Resolves once it runs. If it rejects, the server does not start. */
  start?: () => void | Promise<void>;
  /** Ends everything that `start` began, also if that failed. Does nothing before it. */
  stop?: () => void | Promise<void>;
}

/** What a feature adds to the server. `compose` joins those of all features. */
export interface Feature extends Service {
  routes?: readonly Route[];
  jobs?: readonly JobHandler[];
  /** Recurring jobs and their intervals. */
  schedules?: readonly Schedule[];
  /**
   * Adds what is not part of the contract, and the end of its own open responses as a `preClose` hook. Runs when the
   * server starts to listen, after `start`.
   */
  mount?: (app: HttpApp) => void | Promise<void>;
}
