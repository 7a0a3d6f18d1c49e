import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';

/** Half a megabyte, which is about an hour and a half. */
const pointsPerRequest = 262_144;

/**
 * Loads all points of the finest level and caches them, so that only the new points of a live recording are
 * fetched.
 */
export class AllPoints {
  #key: string | null = null;
  #points = new Int8Array();

  /** Reads the points that are not cached yet. Rejects if a request fails or the signal is aborted. */
  async read(source: PeaksSource, signal: AbortSignal): Promise<Int8Array> {
    const { points: count } = await source.layout();
    if (source.key !== this.#key) this.#points = new Int8Array();
    this.#key = source.key;
    const known = Math.min(this.#points.length >> 1, count);
    const all = new Int8Array(count * 2);
    all.set(this.#points.subarray(0, known * 2));
    for (let from = known; from < count; from += pointsPerRequest) {
      all.set(await source.finest({ from, to: Math.min(from + pointsPerRequest, count) }, signal), from * 2);
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
