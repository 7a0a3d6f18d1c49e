/** Resolves after `delayMs`, or as soon as the signal aborts; never rejects. */
export type Sleep = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** A wait that can be ended early; a call outside a wait ends the next one. */
export class Wake {
  readonly #sleep: Sleep;
  #waiting: AbortController | null = null;
  #called = false;

  constructor(sleep: Sleep) {
    this.#sleep = sleep;
  }

  /** Waits at most `delayMs`. */
  async wait(delayMs: number): Promise<void> {
    if (!this.#called) {
      const waiting = new AbortController();
      this.#waiting = waiting;
      await this.#sleep(delayMs, waiting.signal);
      this.#waiting = null;
    }
    this.#called = false;
  }

  /** Ends the wait. */
  call(): void {
    this.#called = true;
    this.#waiting?.abort();
  }
}

/** `Sleep` with the platform's timer. */
export const sleep: Sleep = (delayMs, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end);
  });
