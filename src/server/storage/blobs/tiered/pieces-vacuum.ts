import type { HotDatabase } from './hot-database.ts';

/** Fewer dead rows than this are not worth a vacuum. */
const minDeadRows = 1000;
/** 15 MB of sound. Many of the rows that live are small ones of peaks, so a share of them would be too many. */
const maxDeadRows = 5000;
const deadShare = 0.002;

/**
 * Frees the space of rows that were moved to objects. Their table turns over every few minutes. PostgreSQL's own
 * vacuum looks at it once a minute and is slowed down on purpose, so that the table would be two to three times as
 * large as its live rows. This vacuum blocks no append, move or read, and leaves it to PostgreSQL's own to shorten the
 * file, which would.
 */
export class PiecesVacuum {
  readonly #database: HotDatabase;
  /** Rows that the last vacuum could not free, because a long transaction, such as a backup's, still sees them. */
  #deadRowsLeft = 0;

  constructor(database: HotDatabase) {
    this.#database = database;
  }

  /**
   * Vacuums if enough rows are dead. While another server does so, it does nothing.
   * @param signal closes the connection of a vacuum that runs. PostgreSQL may finish it; what it freed stays free.
   * @returns whether enough rows were dead
   */
  async runIfDue(signal: AbortSignal): Promise<boolean> {
    const { deadRows, liveRows } = await this.#countRows();
    const dueRows = minDeadRows + Math.min(maxDeadRows, deadShare * liveRows);
    this.#deadRowsLeft = Math.min(this.#deadRowsLeft, deadRows);
    if (deadRows - this.#deadRowsLeft < dueRows) return false;
    await this.#run(signal);
    this.#deadRowsLeft = (await this.#countRows()).deadRows;
    return true;
  }

  async #run(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const client = await this.#database.queries.connect();
    const vacuumed = client.query('vacuum (skip_locked, truncate false) blob_pieces');
    // A pool that is closed would wait for the statement.
    const interrupt = (): void => {
      client.release(true);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      await vacuumed;
    } finally {
      signal.removeEventListener('abort', interrupt);
      if (!signal.aborted) client.release();
    }
  }

  /** PostgreSQL's own estimates, which are up to a second old. */
  async #countRows(): Promise<{ deadRows: number; liveRows: number }> {
    const { rows } = await this.#database.queries.query<{ deadRows: number; liveRows: number }>({
      name: 'count-dead-pieces',
      text: `select n_dead_tup as "deadRows", n_live_tup as "liveRows"
        from pg_stat_user_tables where relid = 'blob_pieces'::regclass`,
    });
    return rows[0] ?? { deadRows: 0, liveRows: 0 };
  }
}
