/** What a request can wait for: a session, or a recent proof of identity. */
export type HoldReason = 'session' | 'step-up';

/**
 * The time from the first request that has to wait for one reason until the user has signed in, proved their
 * identity or cancelled.
 */
export class Episode {
  #isOpen = false;
  #ended = 0;
  #lastEnd: 'confirmed' | 'cancelled' = 'confirmed';

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * The number of episodes that ended so far. An attempt made at a lower number belongs to an episode that is
   * over.
   */
  get ended(): number {
    return this.#ended;
  }

  get lastEnd(): 'confirmed' | 'cancelled' {
    return this.#lastEnd;
  }

  /** @returns false if it is already open */
  open(): boolean {
    if (this.#isOpen) return false;
    this.#isOpen = true;
    return true;
  }

  end(how: 'confirmed' | 'cancelled'): void {
    this.#isOpen = false;
    this.#ended += 1;
    this.#lastEnd = how;
  }
}
