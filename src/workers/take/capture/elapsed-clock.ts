/** A wall clock that runs ahead of the monotonic one by more than this has slept or been set. */
const noticeableMs = 250;
/**
 * A computer freezes its programs before its clocks and thaws them after: a worker that never stood still did
 * not sleep.
 */
const standstillMs = 100;

/** The two clocks of a browser, in milliseconds. */
export interface Clocks {
  /** Never goes back, but may stand still while the computer sleeps. */
  monotonicMs: () => number;
  /** Goes on while the computer sleeps, but may be set, back and forth. */
  wallMs: () => number;
}

/**
 * How much time has really passed, the computer's sleep included, whatever happens to its clock meanwhile. To
 * be read often: a wall clock that jumps while this worker runs was set, one that jumps while it stands still
 * has slept.
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

  /** Milliseconds since this clock was made; never less than before. */
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
