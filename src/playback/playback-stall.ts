import { second } from '#base/duration.ts';

/** After this much time without progress, playback counts as stalled. */
const stalledAfterMs = second;

/**
 * Detects by the clock that playback has stopped although its element plays. Not every engine fires `waiting` then or
 * lowers `readyState`: WebKitGTK does neither.
 */
export class PlaybackStall {
  readonly #nowMs: () => number;
  #positionMs: number | null = null;
  #movedAtMs = 0;

  /** @param nowMs a monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Whether the position has not moved for a second. Call it while playback runs, at least a few times a second.
   * @param positionMs the position; null while playback is not expected to move, which starts the second again
   */
  hasStalled(positionMs: number | null): boolean {
    if (positionMs === null || positionMs !== this.#positionMs) {
      this.#positionMs = positionMs;
      this.#movedAtMs = this.#nowMs();
    }
    return positionMs !== null && this.#nowMs() - this.#movedAtMs >= stalledAfterMs;
  }
}
