import { second } from '#base/duration.ts';
import { ProblemError } from './problem.ts';

/** Creates a rate-limited problem (429) with the time to wait. */
export const rateLimited = (waitMs: number): ProblemError => {
  const seconds = Math.max(1, Math.ceil(waitMs / second));
  return new ProblemError('rate-limited', {
    retryAfterSeconds: seconds,
    headers: { 'Retry-After': String(seconds) },
  });
};
