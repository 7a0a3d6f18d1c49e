import type { SelectQueryBuilder, Updateable } from 'kysely';
import { believableRow } from '#server/storage/rows/believable.ts';
import { knownReason, knownRendition } from '#server/storage/rows/known-values.ts';
import { isProvenBefore } from '#server/storage/rows/moments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { ImportedFileRow, JudgedFile, RecordingRow, Schema } from '#server/storage/database/schema.ts';

type FileColumns = Omit<ImportedFileRow, 'recording_id' | 'importer_id'>;
/** All null if the recording is not an import. */
type OwnFile = { [Column in keyof FileColumns]: FileColumns[Column] | null };

/** A recording's row with its counts and its imported file. */
export type RecordingWithCounts = RecordingRow &
  OwnFile & {
    tracks: string | null;
    quieter_db: number | null;
    channel_names: string | null;
    marker_count: number;
    is_favourite: boolean;
    tag_ids: string[];
  };

type Select = SelectQueryBuilder<Schema, 'recordings', RecordingRow>;

const withCounts = (query: Select) =>
  query
    .leftJoin('imported_files', 'imported_files.recording_id', 'recordings.id')
    .select([
      'file_name',
      'file_media_type',
      'file_size_bytes',
      'file_sha256',
      'rendition',
      'failure_reason',
      'tracks',
      'quieter_db',
      'channel_names',
    ])
    .select((eb) =>
      eb
        .selectFrom('markers')
        .whereRef('markers.recording_id', '=', 'recordings.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('marker_count'),
    )
    // Only its owner sees a recording, so the star shown is the owner's.
    .select((eb) =>
      eb
        .selectFrom('favourites')
        .whereRef('favourites.recording_id', '=', 'recordings.id')
        .whereRef('favourites.user_id', '=', 'recordings.owner_id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('star_count'),
    );

async function counted(queries: Queries, query: Select): Promise<RecordingWithCounts[]> {
  const rows = await withCounts(query).execute();
  if (rows.length === 0) return [];
  const tags = await queries
    .selectFrom('recording_tags')
    .selectAll()
    .where(
      'recording_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('tag_id')
    .execute();
  const byRecording = Map.groupBy(tags, ({ recording_id: id }) => id);
  return rows.map(({ star_count: starCount, ...row }) => ({
    ...believableRow(row),
    is_favourite: Number(starCount) > 0,
    rendition: row.rendition === null ? null : knownRendition(row.rendition),
    failure_reason: knownReason(row.failure_reason),
    marker_count: Number(row.marker_count),
    tag_ids: (byRecording.get(row.id) ?? []).map(({ tag_id: tagId }) => tagId),
  }));
}

/** Finds a recording of any owner, for jobs and for callers that have opened it. */
export async function findAny(queries: Queries, id: string): Promise<RecordingWithCounts | undefined> {
  return (await findMany(queries, [id]))[0];
}

/** Finds the recording that a limited query selects. */
export async function findWhere(
  queries: Queries,
  limit: (query: Select) => Select,
): Promise<RecordingWithCounts | undefined> {
  return (await counted(queries, limit(queries.selectFrom('recordings').selectAll('recordings'))))[0];
}

/** Finds recordings of any owner, in the order of `ids`. Unknown ids are left out. */
export async function findMany(queries: Queries, ids: readonly string[]): Promise<RecordingWithCounts[]> {
  if (ids.length === 0) return [];
  const rows = new Map(
    (
      await counted(queries, queries.selectFrom('recordings').selectAll('recordings').where('id', 'in', ids))
    ).map((row) => [row.id, row]),
  );
  return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
}

/** Updates columns of one recording and its `updated_at`. */
export async function update(
  queries: Queries,
  id: string,
  change: Partial<RecordingRow> & { updated_at: number },
): Promise<void> {
  await queries.updateTable('recordings').set(change).where('id', '=', id).execute();
}

/** Updates the row of an imported file. */
export async function updateFile(
  queries: Queries,
  recordingId: string,
  change: Partial<ImportedFileRow> & Updateable<JudgedFile>,
): Promise<void> {
  await queries.updateTable('imported_files').set(change).where('recording_id', '=', recordingId).execute();
}

/** Finds recordings that are still receiving but have not changed since `beforeMs`. */
export async function quietSince(
  queries: Queries,
  beforeMs: number,
): Promise<{ id: string; owner_id: string }[]> {
  return queries
    .selectFrom('recordings')
    .select(['id', 'owner_id'])
    .where('state', '=', 'receiving')
    .where('updated_at', '<', beforeMs)
    .execute();
}

/** Finds recordings that have been in the trash since before `beforeMs`. */
export async function trashedBefore(queries: Queries, beforeMs: number): Promise<{ id: string }[]> {
  return queries
    .selectFrom('recordings')
    .select('id')
    .where(isProvenBefore('deleted_at', beforeMs))
    .execute();
}
