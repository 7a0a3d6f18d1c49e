import { sql, type SelectQueryBuilder } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import type { RecordingRow, Schema } from '../../storage/database/schema.ts';
import type { Position } from './list-cursor.ts';

/** A recording's row with what is counted beside it. */
export type RecordingWithCounts = RecordingRow & { marker_count: number };

export interface ListFilter { ownerId: string; trashed: boolean; searchFolded: string; after: Position | null; limit: number }

type Select = SelectQueryBuilder<Schema, 'recordings', RecordingRow>;

const withCounts = (query: Select) =>
  query.select((eb) => eb.selectFrom('markers').whereRef('markers.recording_id', '=', 'recordings.id').select((count) => count.fn.countAll<number>().as('n')).as('marker_count'));

const counted = (row: RecordingRow & { marker_count: number | string | null }): RecordingWithCounts => ({ ...row, marker_count: Number(row.marker_count) });

/** What a person types is searched for as it stands: `%` and `_` are characters like any other. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** One recording of this owner, with its counts. */
export async function findOwned(queries: Queries, ownerId: string, id: string): Promise<RecordingWithCounts | undefined> {
  const row = await withCounts(queries.selectFrom('recordings').selectAll('recordings')).where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();
  return row && counted(row);
}

/** One recording, whoever owns it: for jobs, and for bearers of its capability. */
export async function findAny(queries: Queries, id: string): Promise<RecordingWithCounts | undefined> {
  const row = await withCounts(queries.selectFrom('recordings').selectAll('recordings')).where('id', '=', id).executeTakeFirst();
  return row && counted(row);
}

/** A page of recordings, newest first, by keyset: the cost of a page does not grow with its number. */
export async function listOwned(queries: Queries, filter: ListFilter): Promise<RecordingWithCounts[]> {
  const { after, searchFolded } = filter;
  let query = withCounts(queries.selectFrom('recordings').selectAll('recordings')).where('owner_id', '=', filter.ownerId)
    .where('deleted_at', filter.trashed ? 'is not' : 'is', null);
  if (searchFolded !== '') query = query.where(sql<boolean>`title_folded like ${containing(searchFolded)} escape '\\'`);
  if (after) {
    query = query.where((eb) => eb.or([
      eb('started_at', '<', after.startedAtMs),
      eb.and([eb('started_at', '=', after.startedAtMs), eb('id', '<', after.id)]),
    ]));
  }
  return (await query.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(filter.limit).execute()).map(counted);
}

/** Changes columns of one recording and its `updated_at`. */
export async function update(queries: Queries, id: string, change: Partial<RecordingRow> & { updated_at: number }): Promise<void> {
  await queries.updateTable('recordings').set(change).where('id', '=', id).execute();
}

/** Whether this owner has deleted this recording for good. */
export async function wasPurged(queries: Queries, ownerId: string, id: string): Promise<boolean> {
  const row = await queries.selectFrom('purged_recordings').select('id').where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();
  return row !== undefined;
}

/** Ids of recordings that went quiet: still receiving, and untouched since. */
export async function quietSince(queries: Queries, beforeMs: number): Promise<{ id: string; owner_id: string }[]> {
  return queries.selectFrom('recordings').select(['id', 'owner_id']).where('state', '=', 'receiving').where('updated_at', '<', beforeMs).execute();
}

/** Recordings that have been in the trash since before. */
export async function trashedBefore(queries: Queries, beforeMs: number): Promise<{ id: string; owner_id: string }[]> {
  return queries.selectFrom('recordings').select(['id', 'owner_id']).where('deleted_at', '<', beforeMs).execute();
}
