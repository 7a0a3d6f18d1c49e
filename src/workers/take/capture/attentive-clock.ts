const longestStepMs = 250;

/**
 * Counts only time during which the worker was running, so that being frozen or asleep does not look like
 * silence.
 */
export class AttentiveClock {
  readonly #nowMs: () => number;
  #lastMs: number;
  #attentiveMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  /** Milliseconds of attention so far; to be read several times a second. */
  nowMs(): number {
    const nowMs = this.#nowMs();
    this.#attentiveMs += Math.min(longestStepMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    return this.#attentiveMs;
  }
}
