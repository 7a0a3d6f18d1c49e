import { second } from '#base/duration.ts';

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

const longestSilenceMs = second;

/** Tells when no sound has come for a second in which it should have: microphones can die without a word. */
export class StallWatch {
  #sinceMs: number | null = null;
  #isReported = false;

  /** Sound came, or none is expected for now. */
  reset(): void {
    this.#sinceMs = null;
    this.#isReported = false;
  }

  /**
   * To be called many times a second while sound should come; true once per stall. @param attentiveMs of an
   * `AttentiveClock`
   */
  hasStalled(attentiveMs: number): boolean {
    this.#sinceMs ??= attentiveMs;
    if (attentiveMs - this.#sinceMs < longestSilenceMs || this.#isReported) return false;
    this.#isReported = true;
    return true;
  }
}
