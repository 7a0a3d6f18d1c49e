import { sql } from 'kysely';
import { second } from '#base/duration.ts';
import type { JobHandler, JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import { indexBatch, nextBatch, type StaleRecording } from '#server/storage/search/index-stale.ts';
import { searchVersion } from '#server/storage/search/search-index.ts';

/** Makes found again what search finds by old words, or not yet. */
export const indexJob = 'index-recordings';

const batchSize = 500;

/** Recordings whose words were made by older rules. */
function oldAfter({ queries }: Database, lastId: string): Promise<StaleRecording[]> {
  return queries
    .selectFrom('recording_words')
    .innerJoin('recordings', 'recordings.id', 'recording_words.recording_id')
    .where('recording_words.version', '<', searchVersion)
    .where('recording_words.recording_id', '>', lastId)
    .select(['recordings.id', 'recordings.owner_id', 'recordings.text_bytes', sql<number>`0`.as('changes')])
    .orderBy('recording_words.recording_id')
    .limit(batchSize)
    .execute();
}

/** Recordings whose texts were changed since their words were joined. */
function changedAfter({ queries }: Database, lastId: string): Promise<StaleRecording[]> {
  return queries
    .selectFrom('stale_words')
    .innerJoin('recordings', 'recordings.id', 'stale_words.recording_id')
    .where('stale_words.recording_id', '>', lastId)
    .select(['recordings.id', 'recordings.owner_id', 'recordings.text_bytes', 'stale_words.changes'])
    .orderBy('stale_words.recording_id')
    .limit(batchSize)
    .execute();
}

/** Recordings without words, as a version before search left them. */
function bareAfter({ queries }: Database, lastId: string): Promise<StaleRecording[]> {
  return queries
    .selectFrom('recordings')
    .leftJoin('recording_words', 'recording_words.recording_id', 'recordings.id')
    .where('recording_words.recording_id', 'is', null)
    .where('recordings.id', '>', lastId)
    .select(['recordings.id', 'recordings.owner_id', 'recordings.text_bytes', sql<number>`0`.as('changes')])
    .orderBy('recordings.id')
    .limit(batchSize)
    .execute();
}

/** Has every recording indexed again by the next `indexStale`. */
export async function resetSearchWords({ queries }: Database): Promise<void> {
  for (const table of ['markers', 'notes', 'tags'] as const)
    await queries.updateTable(table).set({ words_version: 0 }).execute();
  await queries.updateTable('recording_words').set({ version: 0 }).execute();
}

/** Whether search finds any recording by old words. */
async function isAnyStale({ queries }: Database): Promise<boolean> {
  const changed = await queries.selectFrom('stale_words').select('recording_id').limit(1).executeTakeFirst();
  const old =
    changed ??
    (await queries
      .selectFrom('recording_words')
      .select('recording_id')
      .where('version', '<', searchVersion)
      .limit(1)
      .executeTakeFirst());
  return old !== undefined;
}

/**
 * Indexes every recording whose words are missing, or older than its texts or our rules. What was done stays
 * done.
 * @param signal ends it between two batches
 */
export async function indexStale(database: Database, signal: AbortSignal): Promise<void> {
  for (const listAfter of [bareAfter, oldAfter, changedAfter]) {
    let lastId = '';
    for (
      let stale = await listAfter(database, lastId);
      stale.length > 0;
      stale = await listAfter(database, lastId)
    ) {
      for (
        let batch = nextBatch(stale);
        batch.length > 0;
        stale = stale.slice(batch.length), batch = nextBatch(stale)
      ) {
        signal.throwIfAborted();
        await indexBatch(database, batch);
        lastId = batch.at(-1)?.id ?? lastId;
      }
    }
  }
}

/**
 * The job that brings the search index up to date: at every start, and when texts were changed that many
 * recordings have or one has very many of.
 */
export const indexJobHandler = (database: Database): JobHandler => ({
  kind: indexJob,
  lane: 'normal',
  async run(_job, { signal }) {
    await indexStale(database, signal);
  },
});

const checkEveryMs = 2 * second;

/** Puts aside the job that indexes what is stale; one at a time. */
export async function enqueueIndexing(
  queue: Pick<JobQueue, 'enqueue' | 'wake'>,
  database: Database,
): Promise<void> {
  await queue.enqueue(database.queries, { kind: indexJob, payload: null, dedupeKey: 'all' });
  queue.wake();
}

/**
 * Looks every two seconds whether recordings are found by old words. Changes of a recording with very many
 * texts are joined by a job, and however many come in that time, once.
 * @returns ends it
 */
export function watchForStale(queue: Pick<JobQueue, 'enqueue' | 'wake'>, database: Database): () => void {
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    if (await isAnyStale(database)) await enqueueIndexing(queue, database);
  };
  const timer = setInterval(() => {
    // A database that cannot be asked now is asked again.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = null;
      });
  }, checkEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
