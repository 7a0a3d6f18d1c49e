/** Runs work on one key one after another, work on different keys side by side. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` when all earlier work on the key has ended, well or badly. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = Promise.withResolvers<void>();
    this.#last.set(key, turn.promise);
    await before;
    try {
      return await work();
    } finally {
      if (this.#last.get(key) === turn.promise) this.#last.delete(key);
      turn.resolve();
    }
  }
}
