import { second } from '#base/duration.ts';

const maxStepMs = 250;

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

  /** Milliseconds during which the worker was running. Must be read several times a second. */
  nowMs(): number {
    const nowMs = this.#nowMs();
    this.#attentiveMs += Math.min(maxStepMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    return this.#attentiveMs;
  }
}

const maxSilenceMs = second;

/**
 * Detects that no sound has arrived for a second when it should have, because microphones can fail without an
 * event.
 */
export class StallWatch {
  #sinceMs: number | null = null;
  #isReported = false;

  /** Restarts the wait, because sound arrived or none is expected. */
  reset(): void {
    this.#sinceMs = null;
    this.#isReported = false;
  }

  /**
   * Must be called several times a second while sound is expected. Returns true once per stall.
   * @param attentiveMs of an `AttentiveClock`
   */
  hasStalled(attentiveMs: number): boolean {
    this.#sinceMs ??= attentiveMs;
    if (attentiveMs - this.#sinceMs < maxSilenceMs || this.#isReported) return false;
    this.#isReported = true;
    return true;
  }
}
