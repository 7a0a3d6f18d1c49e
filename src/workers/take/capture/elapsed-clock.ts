/** If the wall clock is ahead of the monotonic clock by more than this, the computer slept or the clock was set. */
const noticeableMs = 250;
/**
 * A computer freezes its programs before its clocks stop and thaws them after. A worker that was not frozen for at
 * least this long was not asleep.
 */
const standstillMs = 100;

/** The two clocks of a browser, in milliseconds. */
export interface Clocks {
  /** Never goes back, but may stop while the computer sleeps. */
  monotonicMs: () => number;
  /** Runs while the computer sleeps, but may be set forward or back. */
  wallMs: () => number;
}

/**
 * Measures elapsed time including the computer's sleep, whatever happens to its wall clock. Must be read often: a
 * wall clock that jumps while this worker runs was set; one that jumps while the worker was frozen means sleep.
 */
export class ElapsedClock {
  readonly #clocks: Clocks;
  #monotonicMs: number;
  #wallMs: number;
  #elapsedMs = 0;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#monotonicMs = clocks.monotonicMs();
    this.#wallMs = clocks.wallMs();
  }

  /** Milliseconds since this clock was created; never decreases. */
  nowMs(): number {
    const [monotonicMs, wallMs] = [this.#clocks.monotonicMs(), this.#clocks.wallMs()];
    const stepMs = Math.max(0, monotonicMs - this.#monotonicMs);
    const sleptMs = wallMs - this.#wallMs - stepMs;
    this.#elapsedMs += stepMs + (stepMs >= standstillMs && sleptMs > noticeableMs ? sleptMs : 0);
    this.#monotonicMs = monotonicMs;
    this.#wallMs = wallMs;
    return this.#elapsedMs;
  }
}
