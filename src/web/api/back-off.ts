import { limits } from '#contract/limits.ts';

/**
 * How long to wait before the next try, in milliseconds: doubled each time up to the longest, and spread over
 * its second half, so that a thousand browsers do not come back to a restarted server in the same instant.
 * @param failures how many tries in a row failed, 0 for the first wait
 * @param random a number in [0, 1)
 */
export function backOffMs(failures: number, random = Math.random()): number {
  const { first, longest } = limits.uploadBackOffMs;
  const ceiling = Math.min(longest, first * 2 ** Math.min(failures, 16));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}
