/** Runs work one at a time for each key, in order of the calls; different keys never wait for each other. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Resolves with the result of `work`. A failure of earlier work does not stop later work. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    const tail = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return result;
  }
}
