import { minute } from '#base/duration.ts';

/** How long a long offline take keeps in the log what an aged file has too. */
const doubledMs = 1 * minute;
const fewestAtOnce = 20;

/** What is known of the stream beside its log. */
export interface WalSafety {
  /** The name of the file survives a power cut. */
  isAged: boolean;
  /** What the file holds, flushed. */
  fileBytes: number;
  /** What the server holds. */
  acknowledgedBytes: number;
  nowMs: number;
}

/**
 * What the log has of one stream, and which entries may go: those that an aged file holds and the server too,
 * or that an aged file has held for a minute. The last entry always stays: it says how far the file can be
 * trusted.
 */
export class LogIndex {
  #entries: { offsetBytes: number; writtenAtMs: number }[] = [];
  #endBytes = 0;

  /** The log now reaches from here to there, without a hole behind what it had. */
  add(entry: { offsetBytes: number; endBytes: number; writtenAtMs: number }): void {
    this.#entries.push({ offsetBytes: entry.offsetBytes, writtenAtMs: entry.writtenAtMs });
    this.#endBytes = entry.endBytes;
  }

  /** How far the log reaches. */
  get endBytes(): number {
    return this.#endBytes;
  }

  /** The range of beginnings whose entries may go; null while they are too few to be worth it. */
  trimmable({
    isAged,
    fileBytes,
    acknowledgedBytes,
    nowMs,
  }: WalSafety): { fromBytes: number; toBytes: number } | null {
    if (!isAged) return null;
    const kept = this.#entries.findIndex(({ writtenAtMs }, index) => {
      const endBytes = this.#entries[index + 1]?.offsetBytes;
      if (endBytes === undefined || endBytes > fileBytes) return true;
      return endBytes > acknowledgedBytes && nowMs - writtenAtMs < doubledMs;
    });
    const [first, firstKept] = [this.#entries[0], this.#entries[kept]];
    return kept < fewestAtOnce || !first || !firstKept
      ? null
      : { fromBytes: first.offsetBytes, toBytes: firstKept.offsetBytes };
  }

  /** They are gone. */
  trimmed({ toBytes }: { toBytes: number }): void {
    this.#entries = this.#entries.filter(({ offsetBytes }) => offsetBytes >= toBytes);
  }

  /** The stream was cut. */
  cut(sizeBytes: number): void {
    this.#entries = this.#entries.filter(({ offsetBytes }) => offsetBytes < sizeBytes);
    this.#endBytes = Math.min(this.#endBytes, sizeBytes);
  }
}
