import { hour, second } from '#base/duration.ts';

/** A job that failed this often is left alone and shown. */
export const mostAttempts = 10;

/** A job whose process ended this often while it ran is set aside: it may be what ends it. */
export const mostDeaths = 2;

/**
 * How long a job rests after a failure: one second, doubled each time, an hour at most, and up to a fifth
 * more so that jobs which failed together part.
 * @param attempts how often it was tried, this time included
 * @param random between 0 and 1
 */
export function jobBackOffMs(attempts: number, random: number): number {
  const waitMs = Math.min(hour, second * 2 ** (Math.max(1, attempts) - 1));
  return Math.round(waitMs * (1 + random / 5));
}
