import type { GapCause } from '#contract/recordings.ts';
import type { EndedGap } from '#workers/take/segments/segment-sequencer.ts';

/** Measures the gap while no sound arrives, without pauses in it. All times are milliseconds of one clock. */
export class GapClock {
  #cause: GapCause | null = null;
  #elapsedMs = 0;
  #sinceMs: number | null = null;

  /** The cause of the current gap; null outside a gap. */
  get cause(): GapCause | null {
    return this.#cause;
  }

  /** Starts a gap. A running gap keeps its cause. During a pause the gap starts with `resume`. */
  start(cause: GapCause, atMs: number, isPaused: boolean): void {
    if (this.#cause !== null) return;
    this.#cause = cause;
    this.#elapsedMs = 0;
    this.#sinceMs = isPaused ? null : atMs;
  }

  /** Stops counting during a pause. */
  pause(atMs: number): void {
    this.#elapsedMs += this.#sinceMs === null ? 0 : Math.max(0, atMs - this.#sinceMs);
    this.#sinceMs = null;
  }

  /** Continues counting after a pause if there is still no sound. */
  resume(atMs: number): void {
    if (this.#cause !== null) this.#sinceMs ??= atMs;
  }

  /** Ends the gap because sound arrives again or the take ends; null if there was no gap. */
  end(atMs: number): EndedGap | null {
    if (this.#cause === null) return null;
    this.pause(atMs);
    const gap = { cause: this.#cause, durationMs: Math.round(this.#elapsedMs) };
    this.#cause = null;
    return gap;
  }
}
