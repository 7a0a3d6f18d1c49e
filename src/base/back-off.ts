import { second } from './duration.ts';

const firstMs = second / 2;
const longestMs = 15 * second;

/**
 * How long to wait before the next attempt, in milliseconds: doubled each time up to the longest, and spread over
 * its second half, so that a thousand browsers do not come back to a restarted server in the same instant.
 * @param failures how many attempts in a row failed, 0 for the first wait
 * @param random a number in [0, 1)
 */
export function backOffMs(failures: number, random = Math.random()): number {
  const ceilingMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16));
  return Math.round(ceilingMs / 2 + (ceilingMs / 2) * random);
}

/** Counts the failures of one sequence of attempts, without end. */
export class BackOff {
  readonly #random: () => number;
  #failures = 0;

  /** @param random a number in [0, 1), so that devices spread out */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The next wait in milliseconds. */
  nextMs(): number {
    this.#failures += 1;
    return backOffMs(this.#failures - 1, this.#random());
  }

  /** An attempt succeeded, or is likely to: the next wait is short again. */
  reset(): void {
    this.#failures = 0;
  }
}
