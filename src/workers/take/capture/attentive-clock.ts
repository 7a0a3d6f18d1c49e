const longestStepMs = 250;

/** Counts only time in which this worker was there to notice something: one that was frozen or slept has heard nothing, and that says nothing. */
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
