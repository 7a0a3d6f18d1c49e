import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import type { Database } from '#server/storage/database/database.ts';
import { countOpens } from './link-counts.ts';

const intervalMs = second;

/**
 * Counts openings of pages. The commit of a count waits for the disk in the server's only thread, so many openings
 * would hold up the appends of running takes: the first one is stored at once, and those of the next second together.
 * A crash may lose that second.
 */
export class OpenCounts {
  readonly #database: Database;
  readonly #clock: Clock;
  #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #storing: Promise<void> = Promise.resolve();

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Resolves once the opening is stored, or will be with others. */
  async add(shareId: string): Promise<void> {
    this.#waiting.set(shareId, (this.#waiting.get(shareId) ?? 0) + 1);
    if (this.#timer === null) await this.#store();
  }

  /** Stores what waits. Later openings are stored at once. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // A count that could not be stored is lost; later ones are not.
    await this.#storing.catch(() => undefined);
    await this.#storeWaiting();
  }

  #store(): Promise<void> {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // A count that cannot be stored is lost; the pages were answered.
      if (this.#waiting.size > 0) this.#store().catch(() => undefined);
    }, intervalMs);
    this.#timer.unref();
    this.#storing = this.#storeWaiting();
    return this.#storing;
  }

  async #storeWaiting(): Promise<void> {
    const counts = [...this.#waiting];
    this.#waiting = new Map();
    if (counts.length === 0) return;
    const nowMs = this.#clock.nowMs();
    await this.#database.transaction(async (transaction) => {
      for (const [shareId, opens] of counts) await countOpens(transaction, shareId, { opens, nowMs });
    });
  }
}
