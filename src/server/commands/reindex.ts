import type { Config } from '#server/config.ts';
import { resetSearchWords, indexStale } from '#server/features/library/index-job.ts';
import { openDatabaseInUse } from '#server/start/open-stores.ts';

/** Rebuilds the search index. Until its turn, a recording is found by its old words. Always returns 0. */
export async function reindex(config: Config): Promise<number> {
  const database = await openDatabaseInUse(config);
  try {
    await resetSearchWords(database);
    await indexStale(database, { signal: new AbortController().signal });
    process.stdout.write('Done.\n');
    return 0;
  } finally {
    await database.close();
  }
}
