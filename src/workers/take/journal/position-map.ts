const mostEntries = 512;

/**
 * Maps byte offsets to times of the sound. Holds a bounded number of known positions, thinned as the file
 * grows, and interpolates linearly between them, so that twelve hours need no more memory than a minute.
 */
export class PositionMap {
  #places: { bytes: number; ms: number }[] = [{ bytes: 0, ms: 0 }];
  #last = { bytes: 0, ms: 0 };

  /** Adds a place further on than all before: the first `bytes` bytes hold `ms` of sound. */
  add(bytes: number, ms: number): void {
    this.#last = { bytes, ms };
    this.#places.push(this.#last);
    if (this.#places.length > mostEntries) this.#places = this.#places.filter((_, index) => index % 2 === 0);
  }

  /** The end of what is known. */
  get endMs(): number {
    return this.#last.ms;
  }

  /** Sound in the first `bytes` bytes, whole milliseconds, never more than is there. */
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
