import { sql } from 'kysely';
import { second } from '#base/duration.ts';
import { awaitedPriority, type JobHandler, type JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import { indexBatch, nextBatch, type StaleRecording } from '#server/storage/search/index-stale.ts';
import { allTextBytes } from '#server/storage/search/recording-texts.ts';
import { searchVersion } from '#server/storage/search/search-index.ts';

/** The job that updates missing and outdated search words. */
export const indexJob = 'index-recordings';

const batchSize = 500;
/** After this time the job lets other background jobs have their turn. */
const sliceMs = 10 * second;

/** Recordings indexed by an older version of the search. */
function oldAfter({ queries }: Database, lastId: string): Promise<StaleRecording[]> {
  return queries
    .selectFrom('recording_words')
    .innerJoin('recordings', 'recordings.id', 'recording_words.recording_id')
    .where('recording_words.version', '<', searchVersion)
    .where('recording_words.recording_id', '>', lastId)
    .select([
      'recordings.id',
      'recordings.owner_id',
      allTextBytes.as('text_bytes'),
      sql<number>`0`.as('changes'),
    ])
    .orderBy('recording_words.recording_id')
    .limit(batchSize)
    .execute();
}

/** Recordings whose texts have changed since they were indexed. */
function changedAfter({ queries }: Database, lastId: string): Promise<StaleRecording[]> {
  return queries
    .selectFrom('stale_words')
    .innerJoin('recordings', 'recordings.id', 'stale_words.recording_id')
    .where('stale_words.recording_id', '>', lastId)
    .select(['recordings.id', 'recordings.owner_id', allTextBytes.as('text_bytes'), 'stale_words.changes'])
    .orderBy('stale_words.recording_id')
    .limit(batchSize)
    .execute();
}

/** Recordings that were never indexed, from a version without search. */
function bareAfter({ queries }: Database, lastId: string): Promise<StaleRecording[]> {
  return queries
    .selectFrom('recordings')
    .leftJoin('recording_words', 'recording_words.recording_id', 'recordings.id')
    .where('recording_words.recording_id', 'is', null)
    .where('recordings.id', '>', lastId)
    .select([
      'recordings.id',
      'recordings.owner_id',
      allTextBytes.as('text_bytes'),
      sql<number>`0`.as('changes'),
    ])
    .orderBy('recordings.id')
    .limit(batchSize)
    .execute();
}

/** Marks every recording to be indexed again by the next `indexStale`. */
export async function resetSearchWords({ queries }: Database): Promise<void> {
  for (const table of ['markers', 'notes', 'tags'] as const)
    await queries.updateTable(table).set({ words_version: 0 }).execute();
  await queries.updateTable('recording_words').set({ version: 0 }).execute();
}

/** Whether any recording's search words are outdated. */
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

/** The recordings whose search words are missing or older than their texts or the current version, in batches. */
async function* staleBatches(database: Database): AsyncGenerator<StaleRecording[]> {
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
        yield batch;
        lastId = batch.at(-1)?.id ?? lastId;
      }
    }
  }
}

/**
 * Indexes every recording whose search words are missing, or older than its texts or the current version.
 * Completed batches stay done if it is aborted.
 * @param options.signal aborts between two batches
 * @param options.sliceMs ends before the batch that would begin after this time
 * @returns whether all are indexed
 */
export async function indexStale(
  database: Database,
  { signal, sliceMs = Infinity }: { signal: AbortSignal; sliceMs?: number },
): Promise<boolean> {
  const startedAtMs = performance.now();
  for await (const batch of staleBatches(database)) {
    signal.throwIfAborted();
    if (performance.now() - startedAtMs >= sliceMs) return false;
    await indexBatch(database, batch);
  }
  return true;
}

/**
 * The job that updates the search index: at every start, and after changes of texts that many recordings share or
 * that one recording has very many of.
 */
export const indexJobHandler = (database: Database): JobHandler => ({
  kind: indexJob,
  lane: 'background',
  run: async (_job, { signal }) => ((await indexStale(database, { signal, sliceMs })) ? undefined : 'again'),
});

const checkEveryMs = 2 * second;

/** Enqueues the indexing job. At most one is queued. */
export async function enqueueIndexing(
  queue: Pick<JobQueue, 'enqueue' | 'wake'>,
  database: Database,
): Promise<void> {
  await queue.enqueue(database.queries, {
    kind: indexJob,
    payload: null,
    dedupeKey: 'all',
    priority: awaitedPriority,
  });
  queue.wake();
}

/**
 * Checks every two seconds whether search words are outdated and enqueues the job. This batches the changes of a
 * recording with very many texts.
 * @returns stops the checks
 */
export function watchForStale(queue: Pick<JobQueue, 'enqueue' | 'wake'>, database: Database): () => void {
  let checking: Promise<void> | null = null;
  const check = async (): Promise<void> => {
    if (await isAnyStale(database)) await enqueueIndexing(queue, database);
  };
  const timer = setInterval(() => {
    // After a failure of the database the next interval checks again.
    checking ??= check()
      .catch(() => undefined)
      .finally(() => {
        checking = null;
      });
  }, checkEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
