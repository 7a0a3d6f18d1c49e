interface Waiting<Value> {
  resolve: (value: Value | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads single values with as few queries as possible. While fewer than `atOnce` queries run, the reads of one task
 * share a query that starts after it. Those that arrive meanwhile share the next one, so that a query costs less per
 * value the more there is to do.
 */
export class BatchedReads<Value> {
  readonly #readMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  readonly #atOnce: number;
  readonly #max: number;
  readonly #waiting = new Map<string, Waiting<Value>[]>();
  #running = 0;
  #isStarting = false;

  /**
   * @param readMany reads the values of different keys; its result lacks keys that have none
   * @param options.atOnce how many queries may run at the same time
   * @param options.max how many keys one query may have
   */
  constructor(
    readMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
    { atOnce = 2, max = 250 }: { atOnce?: number; max?: number } = {},
  ) {
    this.#readMany = readMany;
    this.#atOnce = atOnce;
    this.#max = max;
  }

  /** Reads the value of one key, as it is after this call; undefined if there is none. */
  read(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) this.#waiting.set(key, [{ resolve, reject }]);
      else waiting.push({ resolve, reject });
      void this.#startSoon();
    });
  }

  async #startSoon(): Promise<void> {
    if (this.#isStarting) return;
    this.#isStarting = true;
    await Promise.resolve();
    this.#isStarting = false;
    this.#start();
  }

  #start(): void {
    while (this.#running < this.#atOnce && this.#waiting.size > 0) {
      const batch = new Map([...this.#waiting].slice(0, this.#max));
      for (const key of batch.keys()) this.#waiting.delete(key);
      this.#running += 1;
      void this.#run(batch).finally(() => {
        this.#running -= 1;
        this.#start();
      });
    }
  }

  async #run(batch: ReadonlyMap<string, readonly Waiting<Value>[]>): Promise<void> {
    try {
      const values = await this.#readMany([...batch.keys()]);
      for (const [key, waiting] of batch) for (const { resolve } of waiting) resolve(values.get(key));
    } catch (error) {
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error);
    }
  }
}
