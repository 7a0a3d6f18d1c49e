import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';

/** Half a megabyte at a time: an hour and a half. */
const pointsAtOnce = 262_144;

/**
 * Every finest point of a recording, kept while it is looked at: of one that grows only what is new is
 * fetched.
 */
export class AllPoints {
  #key: string | null = null;
  #points = new Int8Array();

  /** Reads what is not there yet; rejects when a part does not come or the signal ends it. */
  async read(source: PeaksSource, signal: AbortSignal): Promise<Int8Array> {
    const { points: count } = await source.layout();
    if (source.key !== this.#key) this.#points = new Int8Array();
    this.#key = source.key;
    const known = Math.min(this.#points.length >> 1, count);
    const all = new Int8Array(count * 2);
    all.set(this.#points.subarray(0, known * 2));
    for (let from = known; from < count; from += pointsAtOnce) {
      all.set(await source.finest({ from, to: Math.min(from + pointsAtOnce, count) }, signal), from * 2);
      signal.throwIfAborted();
    }
    this.#points = all;
    return all;
  }

  forget(): void {
    this.#key = null;
    this.#points = new Int8Array();
  }
}
