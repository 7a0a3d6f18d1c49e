const maxEntries = 512;

/**
 * Maps byte offsets to times of the sound. Stores a bounded number of positions, thinned as the file grows, and
 * interpolates linearly between them, so that twelve hours need no more memory than a minute.
 */
export class PositionMap {
  #places: { bytes: number; ms: number }[] = [{ bytes: 0, ms: 0 }];
  #last = { bytes: 0, ms: 0 };

  /** Adds a position after all earlier ones: the first `bytes` bytes contain `ms` of sound. */
  add(bytes: number, ms: number): void {
    this.#last = { bytes, ms };
    this.#places.push(this.#last);
    if (this.#places.length > maxEntries) this.#places = this.#places.filter((_, index) => index % 2 === 0);
  }

  /** The time of the last position. */
  get endMs(): number {
    return this.#last.ms;
  }

  /** Milliseconds of sound in the first `bytes` bytes, rounded down. */
  msAt(bytes: number): number {
    if (bytes >= this.#last.bytes) return this.#last.ms;
    const index = this.#places.findLastIndex((place) => place.bytes <= bytes);
    const before = this.#places[index] ?? { bytes: 0, ms: 0 };
    const after = this.#places[index + 1] ?? this.#last;
    if (after.bytes <= before.bytes) return before.ms;
    return Math.floor(
      before.ms + ((after.ms - before.ms) * (bytes - before.bytes)) / (after.bytes - before.bytes),
    );
  }
}
