// A file of its own: the rows and their search index both lock recordings.
import { PostgresAdapter } from 'kysely';
import type { Queries } from '#server/storage/database/database.ts';

/**
 * Lets one transaction after the other change what these recordings are found by; SQLite runs one at a time
 * as it is. Called before rows that hang on a recording are changed or removed: whoever purges it takes it
 * first too, and two who take in different orders wait for each other.
 */
export async function lockRecordings(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || !(queries.getExecutor().adapter instanceof PostgresAdapter)) return;
  await queries
    .selectFrom('recordings')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
