import type { GapCause } from '#contract/recordings.ts';
import type { EndedGap } from '#workers/take/segments/segment-sequencer.ts';

/**
 * Measures the gap that runs while no sound comes; a pause meanwhile takes no time. All moments by one clock,
 * in milliseconds.
 */
export class GapClock {
  #cause: GapCause | null = null;
  #elapsedMs = 0;
  #sinceMs: number | null = null;

  /** Why no sound comes right now; null when it does. */
  get cause(): GapCause | null {
    return this.#cause;
  }

  /**
   * The sound broke off; a gap that runs already keeps its cause. During a pause the gap waits for `resume`.
   */
  start(cause: GapCause, atMs: number, isPaused: boolean): void {
    if (this.#cause !== null) return;
    this.#cause = cause;
    this.#elapsedMs = 0;
    this.#sinceMs = isPaused ? null : atMs;
  }

  /** A pause begins. */
  pause(atMs: number): void {
    this.#elapsedMs += this.#sinceMs === null ? 0 : Math.max(0, atMs - this.#sinceMs);
    this.#sinceMs = null;
  }

  /** The pause is over, and there is still no sound. */
  resume(atMs: number): void {
    if (this.#cause !== null) this.#sinceMs ??= atMs;
  }

  /** Ends the gap because sound arrives again or the take ends; null when no gap runs. */
  end(atMs: number): EndedGap | null {
    if (this.#cause === null) return null;
    this.pause(atMs);
    const gap = { cause: this.#cause, durationMs: Math.round(this.#elapsedMs) };
    this.#cause = null;
    return gap;
  }
}
