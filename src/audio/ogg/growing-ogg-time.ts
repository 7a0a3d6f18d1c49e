import { packetsOf } from './ogg-page.ts';
import { durationMsOf, OggPrefixScanner } from './ogg-prefix.ts';
import { readOpusHead } from './opus-headers.ts';

/** Reads how long an Ogg Opus file is while it is being written, from its pieces in order. Keeps one page at most. */
export class GrowingOggTime {
  #preSkip: number | null = null;
  #endMs: number | null = null;
  readonly #scanner = new OggPrefixScanner((page) => {
    if (page.startsStream)
      this.#preSkip = readOpusHead(packetsOf(page)[0] ?? new Uint8Array())?.preSkip ?? null;
    else if (page.granulePosition > 0 && this.#preSkip !== null)
      this.#endMs = durationMsOf(page.granulePosition, this.#preSkip);
  });

  /** Adds the next piece of the file. */
  push(piece: Uint8Array): void {
    this.#scanner.push(piece);
  }

  /** The end of the last complete page; null before the first one with sound, or if the file is no Ogg Opus. */
  get endMs(): number | null {
    return this.#endMs;
  }
}
