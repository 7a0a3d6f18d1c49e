import { sql, type Transaction } from 'kysely';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { lockRecordings } from './lock-recordings.ts';

/** Rows of which a user or a recording may have only so many. */
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
 * The limit that this many more rows would exceed; null where there is space for them. Call it in the
 * transaction that adds them: until that ends, every other transaction that asks waits. Without the lock,
 * PostgreSQL shows the same count to all requests of one moment, and each of them adds its row.
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
 * The limit of tags, where one of these recordings has more; null where none has. Call it after the tags were
 * added, in the transaction that locked the recordings.
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

/** Where in this list the first tag stands that is not this owner's; -1 where all of them are. */
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
