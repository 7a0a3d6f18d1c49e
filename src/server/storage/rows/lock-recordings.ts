// A separate file because the rows and their search index both lock recordings.
import { PostgresAdapter } from 'kysely';
import type { Queries } from '#server/storage/database/database.ts';

/**
 * Serialises transactions that change what these recordings are found by; SQLite runs one transaction at a time
 * anyway. Call it before changing or deleting rows that belong to a recording: purging locks the recording first
 * too, and transactions that lock in different orders deadlock.
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
