/** A map that evicts the least recently used entry when it holds more than `capacity`. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;

  constructor(capacity: number) {
    if (!(capacity >= 1))
      throw new TypeError(`BoundedMap needs a capacity of at least 1, received ${capacity}`);
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Reading counts as use. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** A copy of all entries, the least recently used first. Not a use. */
  entries(): [Key, Value][] {
    return [...this.#entries];
  }

  /** Deletes every entry that `matches`. */
  deleteWhere(matches: (value: Value, key: Key) => boolean): void {
    for (const [key, value] of this.#entries) if (matches(value, key)) this.#entries.delete(key);
  }
}
