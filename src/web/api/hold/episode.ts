/** What a request can wait for: a session, or a fresh proof that its owner is still there. */
export type HoldReason = 'session' | 'step-up';

/** The time from the first request that has to wait for one reason until the person has answered. */
export class Episode {
  #isOpen = false;
  #ended = 0;
  #lastEnd: 'confirmed' | 'cancelled' = 'confirmed';

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * How many ended so far: an attempt that was made at a smaller count belongs to an episode that is over.
   */
  get ended(): number {
    return this.#ended;
  }

  get lastEnd(): 'confirmed' | 'cancelled' {
    return this.#lastEnd;
  }

  /** @returns false when it is open already. */
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
