import type { KeptTake } from './kept-take.ts';

/** Pauses take no time in the sound; their places and how long they really were are kept. */
export class PauseLog {
  readonly #kept: KeptTake;
  #open: { atMs: number; sinceMs: number } | null = null;

  constructor(kept: KeptTake) {
    this.#kept = kept;
  }

  /** A pause begins at this place of the recording. */
  begin(atMs: number): void {
    this.#open ??= { atMs, sinceMs: Date.now() };
  }

  /** The pause, if there is one, is over. */
  async end(): Promise<void> {
    if (this.#open === null) return;
    const { atMs, sinceMs } = this.#open;
    this.#open = null;
    await this.#kept.change({ pauses: [...this.#kept.record.pauses, { atMs, durationMs: Math.max(0, Date.now() - sinceMs) }] });
  }
}
