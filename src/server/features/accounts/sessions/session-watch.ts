import type { Database } from '#server/storage/database/database.ts';

/**
 * Ensures that connections of a session that ended on the command line or on another server of the same database
 * are closed within a second.
 */
const intervalMs = 500;
/** Both databases limit the number of parameters per statement. */
const idsPerQuery = 500;

export interface SessionWatchDeps {
  database: Database;
  /** Ids of the sessions with an open event stream or download in this process. */
  openSessionIds: () => string[];
  onSessionEnded: (sessionId: string) => void;
}

async function existingIds({ queries }: Database, ids: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>();
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const rows = await queries
      .selectFrom('sessions')
      .select('id')
      .where('id', 'in', ids.slice(from, from + idsPerQuery))
      .execute();
    for (const { id } of rows) existing.add(id);
  }
  return existing;
}

/**
 * Checks twice a second whether the sessions with open connections in this process still exist, and closes the
 * connections of those that don't.
 */
export class SessionWatch {
  readonly #deps: SessionWatchDeps;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = true;
  #checking: Promise<void> = Promise.resolve();

  constructor(deps: SessionWatchDeps) {
    this.#deps = deps;
  }

  /** @param onError called if the database can't be read; the watch continues */
  start(onError: (error: unknown) => void): void {
    this.#isStopped = false;
    this.#schedule(onError);
  }

  /** Stops the watch after the query in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#checking;
  }

  /** Runs one check. */
  async check(): Promise<void> {
    const open = this.#deps.openSessionIds();
    const existing = await existingIds(this.#deps.database, open);
    for (const id of open) if (!existing.has(id)) this.#deps.onSessionEnded(id);
  }

  #schedule(onError: (error: unknown) => void): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.check()
        .catch(onError)
        .finally(() => this.#schedule(onError));
    }, intervalMs);
    this.#timer.unref();
  }
}
