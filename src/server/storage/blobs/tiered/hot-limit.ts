import { second } from '#base/duration.ts';
import { BlobSpaceError, type DiskSpace, type MovingFigures } from '#server/storage/blobs/blob-store.ts';
import { hotBlobs } from './blob-rows.ts';
import type { HotDatabase } from './hot-database.ts';
import { pauseAfterScanMs } from './pause-after-scan.ts';

const minPauseMs = 5 * second;
/** What other servers store is unknown between two measurements: these are more frequent once half of the limit is used. */
const farParts = 200;
const nearParts = 20;

/** The bytes that are in rows, of all servers together, and the last append to the oldest of them. */
type Tails = Pick<MovingFigures, 'tailBytes' | 'oldestTailAtMs'>;

/** Measures what is in rows. */
export async function measureTails(database: HotDatabase): Promise<Tails> {
  const { rows } = await database.queries.query<{ bytes: number; oldest: number | null }>({
    name: 'measure-tails',
    text: `with ${hotBlobs} select coalesce(sum(blobs.size_bytes - blobs.cold_bytes), 0)::bigint as bytes,
      min(blobs.changed_at) filter (where blobs.size_bytes > blobs.cold_bytes) as oldest
      from hot join blobs on blobs.id = hot.blob_id`,
  });
  return { tailBytes: rows[0]?.bytes ?? 0, oldestTailAtMs: rows[0]?.oldest ?? null };
}

/**
 * Rejects appends before the disk of the database is full: a full disk would stop PostgreSQL, and with it everything
 * else. Between two measurements, the bytes of this server alone are counted.
 */
export class HotLimit {
  readonly #limitBytes: number;
  readonly #measure: () => Promise<Tails>;
  #measured: Tails = { tailBytes: 0, oldestTailAtMs: null };
  #nextAtMs = -Infinity;
  #measuring: Promise<void> | null = null;
  #admittedBytes = 0;

  constructor(limitBytes: number, measure: () => Promise<Tails>) {
    this.#limitBytes = limitBytes;
    this.#measure = measure;
  }

  /**
   * Counts bytes that are going to be stored in rows.
   * @throws BlobSpaceError when there is no space for them
   */
  admit(sizeBytes: number): void {
    if (performance.now() >= this.#nextAtMs) void this.refresh().catch(() => undefined);
    if (this.#measured.tailBytes + this.#admittedBytes + sizeBytes > this.#limitBytes)
      throw new BlobSpaceError(
        new Error(`${this.#limitBytes} bytes (HOT_LIMIT_BYTES) wait to be moved to the object store`),
      );
    this.#admittedBytes += sizeBytes;
  }

  /** Measures now. Appends continue meanwhile. */
  refresh(): Promise<void> {
    this.#measuring ??= this.#measureOnce().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  /** What is in rows. Shares a measurement that is running. */
  async tails(): Promise<Tails> {
    await this.refresh();
    return this.#measured;
  }

  /** The free and total space, of which the reserve takes its share. */
  async space(): Promise<DiskSpace> {
    await this.refresh();
    const usedBytes = this.#measured.tailBytes + this.#admittedBytes;
    return { freeBytes: Math.max(0, this.#limitBytes - usedBytes), totalBytes: this.#limitBytes };
  }

  async #measureOnce(): Promise<void> {
    const countedBytes = this.#admittedBytes;
    const startedAtMs = performance.now();
    this.#nextAtMs = startedAtMs + minPauseMs;
    this.#measured = await this.#measure();
    const tookMs = performance.now() - startedAtMs;
    const parts = this.#measured.tailBytes < this.#limitBytes / 2 ? farParts : nearParts;
    this.#nextAtMs = startedAtMs + pauseAfterScanMs(tookMs, { minMs: minPauseMs, parts });
    // The measurement contains those that were counted before it, but for a few that are still under way.
    this.#admittedBytes -= countedBytes;
  }
}
