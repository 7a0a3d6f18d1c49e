import type { TakeRecord } from '#device/takes/take-record.ts';
import type { TakeRecordWriter } from './take-record-writer.ts';

/**
 * Pauses take no time in the sound; their places and how long they really were are kept. One of length 0 has
 * not ended: a take found so was paused when its page died.
 */
export class PauseLog {
  readonly #kept: TakeRecordWriter;
  #open: { atMs: number; sinceMs: number } | null = null;

  constructor(kept: TakeRecordWriter) {
    this.#kept = kept;
  }

  /** A pause begins at this place of the recording. */
  async start(atMs: number): Promise<void> {
    if (this.#open !== null) return;
    this.#open = { atMs, sinceMs: Date.now() };
    await this.#kept.change({ pauses: [...this.#kept.record.pauses, { atMs, durationMs: 0 }] });
  }

  /** The pause, if there is one, is over. */
  async end(): Promise<void> {
    if (this.#open === null) return;
    const { atMs, sinceMs } = this.#open;
    this.#open = null;
    await this.#kept.change({
      pauses: withLastPause(this.#kept.record.pauses, {
        atMs,
        durationMs: Math.max(1, Date.now() - sinceMs),
      }),
    });
  }
}

function withLastPause(
  pauses: TakeRecord['pauses'],
  pause: TakeRecord['pauses'][number],
): TakeRecord['pauses'] {
  return [...pauses.filter(({ durationMs }) => durationMs > 0), pause];
}
