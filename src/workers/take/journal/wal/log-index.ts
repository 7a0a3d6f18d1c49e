import { minute } from '#base/duration.ts';

/** How long the log of an offline take keeps bytes that an aged file has too. */
const doubledMs = 1 * minute;
const minAtOnce = 20;

/** What is durable outside the log. */
export interface WalSafety {
  /** True once the name of the file survives a power cut. */
  isAged: boolean;
  /** Bytes flushed to the file. */
  fileBytes: number;
  /** Bytes that the server holds. */
  acknowledgedBytes: number;
  nowMs: number;
}

/**
 * The entries that the log has of one stream. An entry may be trimmed when an aged file holds it and the server
 * holds it too, or when it was written a minute ago. The last entry always stays: it shows how far the file can be
 * trusted.
 */
export class LogIndex {
  #entries: { offsetBytes: number; writtenAtMs: number }[] = [];
  #endBytes = 0;

  /** Adds an entry that starts where the log ends. */
  add(entry: { offsetBytes: number; endBytes: number; writtenAtMs: number }): void {
    this.#entries.push({ offsetBytes: entry.offsetBytes, writtenAtMs: entry.writtenAtMs });
    this.#endBytes = entry.endBytes;
  }

  /** The end of the last entry. */
  get endBytes(): number {
    return this.#endBytes;
  }

  /** The range of entry offsets that may be trimmed; null if there are too few to be worth it. */
  trimmable({
    isAged,
    fileBytes,
    acknowledgedBytes,
    nowMs,
  }: WalSafety): { fromBytes: number; toBytes: number } | null {
    if (!isAged) return null;
    const retained = this.#entries.findIndex(({ writtenAtMs }, index) => {
      const endBytes = this.#entries[index + 1]?.offsetBytes;
      if (endBytes === undefined || endBytes > fileBytes) return true;
      return endBytes > acknowledgedBytes && nowMs - writtenAtMs < doubledMs;
    });
    const [first, firstRetained] = [this.#entries[0], this.#entries[retained]];
    return retained < minAtOnce || !first || !firstRetained
      ? null
      : { fromBytes: first.offsetBytes, toBytes: firstRetained.offsetBytes };
  }

  /** Removes the entries before `toBytes`. */
  trimmed({ toBytes }: { toBytes: number }): void {
    this.#entries = this.#entries.filter(({ offsetBytes }) => offsetBytes >= toBytes);
  }

  /** Truncates the index with its stream. */
  cut(sizeBytes: number): void {
    this.#entries = this.#entries.filter(({ offsetBytes }) => offsetBytes < sizeBytes);
    this.#endBytes = Math.min(this.#endBytes, sizeBytes);
  }
}
