import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Ends a turn of the event loop that has lasted long. Statements of SQLite run on the thread that also reads
 * the sockets, and they answer without leaving the turn: a loop of thousands of them would be one turn, and
 * every request would wait until its end.
 */
export class EventLoopTurn {
  readonly #longestMs: number;
  #beganAtMs: number | null = null;

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Call before each piece of work: waits for the next turn if this one has taken its time. */
  async yieldIfLong(): Promise<void> {
    const nowMs = performance.now();
    if (this.#beganAtMs === null) {
      this.#beganAtMs = nowMs;
      setImmediate(() => {
        this.#beganAtMs = null;
      });
    } else if (nowMs - this.#beganAtMs > this.#longestMs) {
      await nextTurn();
    }
  }
}
