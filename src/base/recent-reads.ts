import { IdleMap } from './idle-map.ts';
import { spreadReadAtMs } from './spread-reads.ts';

interface Known<Value> {
  reading: Promise<Value>;
  /** Null until it has been read. */
  read: { value: Value } | null;
  readAtMs: number;
  /** Whether it was asked for since it was read. */
  isUsed: boolean;
}

/** How a value is read, and for how long it is used. */
interface Terms<Key, Value> {
  /** How long a value is used; Infinity until it is forgotten. */
  trustedMs: number;
  read: (key: Key) => Promise<Value>;
}

/** After this part of its time, a value is read together with one that is due. */
const togetherAfter = 0.5;

/**
 * Remembers values that were read a moment ago. Calls for a key whose value is being read share that read. One that
 * failed or found nothing is not remembered.
 */
export class RecentReads<Key, Value> {
  readonly #reads: IdleMap<Key, Known<Value>>;
  readonly #nowMs: () => number;

  /**
   * @param options.idleMs how long a value stays without use
   * @param options.nowMs the time in milliseconds. If it is set back, values are read again.
   */
  constructor({ idleMs, nowMs }: { idleMs: number; nowMs: () => number }) {
    this.#reads = new IdleMap({ idleMs, nowMs });
    this.#nowMs = nowMs;
  }

  /** Returns the value of a key, which is read unless it is known. */
  get(key: Key, terms: Terms<Key, Value>): Promise<Value> {
    return this.#trusted(key, terms) ?? this.#read(key, terms);
  }

  /**
   * As `get`. If the value must be read, those in use that will soon be due are read in the same task, so that few
   * statements read many values, whenever each was first read.
   * @param terms.read one that batches what it is asked for in one task
   */
  getTogether(key: Key, terms: Terms<Key, Value>): Promise<Value> {
    const known = this.#trusted(key, terms);
    if (known !== undefined) return known;
    const readBeforeMs = this.#nowMs() - terms.trustedMs * togetherAfter;
    const due = this.#reads.keysWhere(
      (each) => each.read !== null && each.isUsed && each.readAtMs <= readBeforeMs,
    );
    const reading = this.#read(key, terms);
    for (const other of due) if (other !== key) this.#read(other, terms).catch(() => undefined);
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

  /** Forgets every value that matches, and all that are being read. */
  forgetWhere(matches: (value: Value) => boolean): void {
    this.#reads.deleteWhere(({ read }) => read === null || matches(read.value));
  }

  #trusted(key: Key, { trustedMs }: Terms<Key, Value>): Promise<Value> | undefined {
    const known = this.#reads.get(key);
    if (known === undefined || Math.abs(this.#nowMs() - known.readAtMs) >= trustedMs) return undefined;
    known.isUsed = true;
    return known.reading;
  }

  #read(key: Key, { trustedMs, read }: Terms<Key, Value>): Promise<Value> {
    const reading = read(key);
    const isFirst = trustedMs < Infinity && !this.#reads.has(key);
    const readAtMs = spreadReadAtMs({ isFirst, nowMs: this.#nowMs(), trustedMs });
    const known: Known<Value> = { reading, read: null, readAtMs, isUsed: false };
    this.#reads.set(key, known);
    const forget = (): void => {
      if (this.#reads.peek(key) === known) this.#reads.delete(key);
    };
    reading.then((value) => {
      if (value === undefined) forget();
      else known.read = { value };
    }, forget);
    return reading;
  }
}
