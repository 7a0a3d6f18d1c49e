import { limits } from '#contract/limits.ts';

/** How long to wait before trying again: doubling from half a second to fifteen, with jitter, for ever. */
export class BackOff {
  readonly #random: () => number;
  #failures = 0;

  /** @param random 0…1, so that many devices do not come back in step */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The next wait in milliseconds: between half and all of the current step. */
  nextMs(): number {
    const { first, longest } = limits.uploadBackOffMs;
    const stepMs = Math.min(longest, first * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
    return Math.round(stepMs * (0.5 + this.#random() / 2));
  }

  /** It worked, or there is a reason to hope: begin small again. */
  reset(): void {
    this.#failures = 0;
  }
}
