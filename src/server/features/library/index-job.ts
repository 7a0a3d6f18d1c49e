import { setImmediate } from 'node:timers/promises';
import type { JobHandler } from '../../jobs/job-queue.ts';
import type { Database } from '../../storage/database/database.ts';
import { reindexRecordings, searchVersion } from '../../storage/search/search-index.ts';

/** Makes found again what search finds by old words, or not yet. */
export const indexJob = 'index-recordings';

/** In one transaction: short enough that a take's appends do not wait for it. */
const together = 100;
const lookedAtTogether = 2000;

async function staleAfter({ queries }: Database, lastId: string): Promise<{ ids: string[]; lastId: string | null }> {
  const rows = await queries.selectFrom('recordings').leftJoin('recording_words', 'recording_words.recording_id', 'recordings.id')
    .where('recordings.id', '>', lastId).select(['recordings.id', 'recording_words.version']).orderBy('recordings.id').limit(lookedAtTogether).execute();
  return { ids: rows.filter(({ version }) => version !== searchVersion).map(({ id }) => id), lastId: rows.length < lookedAtTogether ? null : (rows.at(-1)?.id ?? null) };
}

/** Has every recording indexed again by the next `indexStale`. */
export async function forgetWords({ queries }: Database): Promise<void> {
  await queries.updateTable('recording_words').set({ version: 0 }).execute();
}

/**
 * Indexes every recording whose words are missing or of older rules.
 * @param signal ends it between two transactions
 */
export async function indexStale(database: Database, signal: AbortSignal): Promise<void> {
  let lastId: string | null = '';
  while (lastId !== null) {
    const stale: { ids: string[]; lastId: string | null } = await staleAfter(database, lastId);
    for (let from = 0; from < stale.ids.length; from += together) {
      signal.throwIfAborted();
      await database.transaction((transaction) => reindexRecordings(transaction, stale.ids.slice(from, from + together)));
      await setImmediate();
    }
    lastId = stale.lastId;
  }
}

/** The job that brings the search index up to date: at every start, and when a tag was renamed or removed. */
export const indexJobHandler = (database: Database): JobHandler => ({
  kind: indexJob,
  async run(_job, { signal }) {
    await indexStale(database, signal);
  },
});
