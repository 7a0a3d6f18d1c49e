import { second } from './duration.ts';

const firstMs = second / 2;
const maxMs = 15 * second;

/**
 * The delay before the next attempt in milliseconds: doubled each time up to the longest, and random in its second
 * half, so that a thousand browsers do not return to a restarted server at the same instant.
 * @param failures number of consecutive failed attempts, 0 for the first delay
 * @param random a number in [0, 1)
 */
export function backOffMs(failures: number, random = Math.random()): number {
  const ceilingMs = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 16));
  return Math.round(ceilingMs / 2 + (ceilingMs / 2) * random);
}

/** Counts the failures of one sequence of attempts, without a limit. */
export class BackOff {
  readonly #random: () => number;
  #failures = 0;

  /** @param random a number in [0, 1), so that devices spread out */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The next delay in milliseconds. */
  nextMs(): number {
    this.#failures += 1;
    return backOffMs(this.#failures - 1, this.#random());
  }

  /** Makes the next delay short again, because an attempt succeeded or is likely to. */
  reset(): void {
    this.#failures = 0;
  }
}
