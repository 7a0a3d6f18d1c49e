import { Repeated } from '#server/jobs/repeated.ts';
import type { Database } from '#server/storage/database/database.ts';
import { isOneOf, prepared } from '#server/storage/database/prepared.ts';
import { readInPieces } from '#server/storage/rows/pieces.ts';

/**
 * Ensures that connections of a session that ended on the command line or on another server of the same database
 * are closed within a second.
 */
const intervalMs = 500;

export interface SessionWatchDeps {
  database: Database;
  /** Ids of the sessions with an open event stream or download in this process. */
  openSessionIds: () => string[];
  onSessionEnded: (sessionId: string) => void;
}

async function existingIds({ queries }: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await readInPieces(ids, (some) =>
    queries
      .selectFrom('sessions')
      .select('id')
      .where((eb) => isOneOf(queries, eb.ref('id'), some))
      .modifyEnd(prepared)
      .execute(),
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Checks twice a second whether the sessions with open connections in this process still exist, and closes the
 * connections of those that don't.
 */
export class SessionWatch {
  readonly #deps: SessionWatchDeps;
  readonly #checks = new Repeated(intervalMs, () => this.check());

  constructor(deps: SessionWatchDeps) {
    this.#deps = deps;
  }

  /** @param onError called if the database can't be read; the watch continues */
  start(onError: (error: unknown) => void): void {
    this.#checks.start(onError);
  }

  /** Stops the watch after the query in progress. */
  async stop(): Promise<void> {
    await this.#checks.stop();
  }

  /** Runs one check. */
  async check(): Promise<void> {
    const open = this.#deps.openSessionIds();
    const existing = await existingIds(this.#deps.database, open);
    for (const id of open) if (!existing.has(id)) this.#deps.onSessionEnded(id);
  }
}
