import { IdleMap } from './idle-map.ts';
import { spreadReadAtMs } from './spread-reads.ts';

/**
 * Remembers values that were read a moment ago. Calls for a key whose value is being read share that read. One that
 * failed is not remembered.
 */
export class RecentReads<Key, Value> {
  readonly #reads: IdleMap<Key, { reading: Promise<Value>; readAtMs: number }>;
  readonly #nowMs: () => number;

  /**
   * @param options.idleMs how long a value stays without use
   * @param options.nowMs a clock that never goes back
   */
  constructor({ idleMs, nowMs }: { idleMs: number; nowMs: () => number }) {
    this.#reads = new IdleMap({ idleMs, nowMs });
    this.#nowMs = nowMs;
  }

  /**
   * Returns the value of a key, which is read unless it is known.
   * @param options.trustedMs how long a value is used; Infinity until it is forgotten
   */
  get(key: Key, { trustedMs, read }: { trustedMs: number; read: () => Promise<Value> }): Promise<Value> {
    const nowMs = this.#nowMs();
    const known = this.#reads.get(key);
    if (known && nowMs - known.readAtMs < trustedMs) return known.reading;
    const reading = read();
    const isFirst = known === undefined && trustedMs < Infinity;
    this.#reads.set(key, { reading, readAtMs: spreadReadAtMs({ isFirst, nowMs, trustedMs }) });
    reading.catch(() => {
      if (this.#reads.get(key)?.reading === reading) this.#reads.delete(key);
    });
    return reading;
  }

  /** The value of a key if it is known or being read. */
  known(key: Key): Promise<Value> | undefined {
    return this.#reads.get(key)?.reading;
  }

  /** A value that is being read is not remembered either. */
  forget(key: Key): void {
    this.#reads.delete(key);
  }
}
