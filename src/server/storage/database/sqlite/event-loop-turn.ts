import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Yields when a turn of the event loop has taken too long. SQLite's statements run on the thread that also reads
 * the sockets and resolve within the same turn: without yielding, a loop of thousands of them would delay every
 * request until its end.
 */
export class EventLoopTurn {
  readonly #maxMs: number;
  #beganAtMs: number | null = null;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Waits for the next turn if this one has taken too long. Call it before each piece of work. */
  async yieldIfLong(): Promise<void> {
    const nowMs = performance.now();
    if (this.#beganAtMs === null) {
      this.#beganAtMs = nowMs;
      setImmediate(() => {
        this.#beganAtMs = null;
      });
    } else if (nowMs - this.#beganAtMs > this.#maxMs) {
      await nextTurn();
    }
  }
}
