/**
 * A map that drops entries that were not used for `idleMs`. Its size follows what is in use, so it never evicts an
 * entry that is needed again soon, as a map with a fixed capacity does once one entry more is in use than it can hold.
 */
export class IdleMap<Key, Value> {
  /** In the order of their last use. */
  readonly #entries = new Map<Key, { value: Value; usedAtMs: number }>();
  readonly #idleMs: number;
  readonly #nowMs: () => number;

  /**
   * @param options.idleMs how long an entry stays without use
   * @param options.nowMs a clock that never goes back
   */
  constructor({ idleMs, nowMs }: { idleMs: number; nowMs: () => number }) {
    this.#idleMs = idleMs;
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Reading counts as use. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#use(key, entry.value);
    return entry.value;
  }

  /** As `get`, but does not count as use. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** The keys of all entries that `matches`. Does not count as use. */
  keysWhere(matches: (value: Value) => boolean): Key[] {
    return [...this.#entries].filter(([, { value }]) => matches(value)).map(([key]) => key);
  }

  set(key: Key, value: Value): void {
    this.#use(key, value);
    this.#dropIdle();
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Deletes every entry that `matches`. */
  deleteWhere(matches: (value: Value, key: Key) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value, key)) this.#entries.delete(key);
  }

  #use(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, usedAtMs: this.#nowMs() });
  }

  #dropIdle(): void {
    const idleSinceMs = this.#nowMs() - this.#idleMs;
    for (const [key, { usedAtMs }] of this.#entries) {
      if (usedAtMs > idleSinceMs) return;
      this.#entries.delete(key);
    }
  }
}
