import type { Database } from '#server/storage/database/database.ts';

/**
 * A session that ended anywhere, at the console or on another server of the same database, has nothing open
 * after a second.
 */
const intervalMs = 500;
/** Both databases limit how many values one statement may have. */
const idsPerQuery = 500;

export interface SessionWatchDeps {
  database: Database;
  /** Ids of the sessions that have a stream or a long answer open in this process. */
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
 * Looks twice a second whether the sessions that have something open in this process still exist, and ends
 * what is open in the name of the others.
 */
export class SessionWatch {
  readonly #deps: SessionWatchDeps;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = true;
  #checking: Promise<void> = Promise.resolve();

  constructor(deps: SessionWatchDeps) {
    this.#deps = deps;
  }

  /** @param onError called when the database cannot be read; the watch goes on */
  start(onError: (error: unknown) => void): void {
    this.#isStopped = false;
    this.#schedule(onError);
  }

  /** Stops, after the query that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#checking;
  }

  /** Looks once. */
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
