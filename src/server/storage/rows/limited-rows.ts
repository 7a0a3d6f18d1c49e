import { sql, type Transaction } from 'kysely';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { lockRecordings } from './lock-recordings.ts';

/** Tables with a maximum number of rows per user or recording. */
type LimitedRows =
  | { table: 'tags' | 'saved_views'; ownerId: string }
  | { table: 'markers' | 'notes'; recordingId: string };

const largestOf = {
  tags: serverLimits.tags,
  saved_views: serverLimits.savedViews,
  markers: limits.markersPerRecording,
  notes: limits.notesPerRecording,
} as const satisfies Record<LimitedRows['table'], number>;

/**
 * Returns the limit that adding this many rows would exceed, or null if they fit. Call it in the transaction that
 * adds them: its lock makes other transactions wait. Without the lock, PostgreSQL would show the same count to
 * simultaneous requests, and each would add its row.
 */
export async function exceededLimit(
  database: Pick<Database, 'lockUser'>,
  transaction: Transaction<Schema>,
  of: LimitedRows & { added: number },
): Promise<{ largest: number } | null> {
  await ('ownerId' in of
    ? database.lockUser(transaction, of.ownerId)
    : lockRecordings(transaction, [of.recordingId]));
  const [column, id] = 'ownerId' in of ? ['owner_id', of.ownerId] : ['recording_id', of.recordingId];
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from ${sql.table(of.table)} where ${sql.ref(column)} = ${id}`.execute(transaction);
  const largest = largestOf[of.table];
  return Number(rows[0]?.n) + of.added > largest ? { largest } : null;
}

/**
 * Returns the tag limit if one of these recordings exceeds it, else null. Call it after adding the tags, in the
 * transaction that locked the recordings.
 */
export async function overfullRecording(
  transaction: Transaction<Schema>,
  ids: readonly string[],
): Promise<{ largest: number } | null> {
  const largest = serverLimits.tagsPerRecording;
  const over = await transaction
    .selectFrom('recording_tags')
    .select('recording_id')
    .where('recording_id', 'in', ids)
    .groupBy('recording_id')
    .having((eb) => eb(eb.fn.countAll(), '>', largest))
    .limit(1)
    .executeTakeFirst();
  return over === undefined ? null : { largest };
}

/**
 * Returns the index of the first tag in the list that belongs to another owner or does not exist; -1 if there is
 * none.
 */
export async function indexOfForeignTag(
  queries: Queries,
  ownerId: string,
  tagIds: readonly string[],
): Promise<number> {
  if (tagIds.length === 0) return -1;
  const own = await queries
    .selectFrom('tags')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', 'in', tagIds)
    .execute();
  const known = new Set(own.map(({ id }) => id));
  return tagIds.findIndex((id) => !known.has(id));
}
