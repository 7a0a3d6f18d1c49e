import {
  believableMomentOf,
  believablePosition,
  believableRow,
  believableTag,
} from '#server/storage/rows/believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { ImportedFileRow, SavedViewRow, TagRow, RecordingRow } from '#server/storage/database/schema.ts';
import { passagesOf } from '#server/storage/rows/passages.ts';
import { markersOf, storedNotesOf } from '#server/storage/rows/labels.ts';
import type { Noted } from './describe-recording.ts';
import { type SharedSettings, sharedSettingsOf } from './shared-settings.ts';

/** The start of a page of an account's recordings. */
export interface AfterRecording {
  startedAtMs: number;
  id: string;
}

const pageSize = 100;

/** The next recordings of an account in order of their start, without the trash. */
export async function nextRecordings(
  queries: Queries,
  ownerId: string,
  after: AfterRecording | null,
): Promise<RecordingRow[]> {
  let query = queries
    .selectFrom('recordings')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where(believableMomentOf('started_at'), 'is not', null);
  if (after !== null) {
    query = query.where((eb) =>
      eb.or([
        eb('started_at', '>', after.startedAtMs),
        eb.and([eb('started_at', '=', after.startedAtMs), eb('id', '>', after.id)]),
      ]),
    );
  }
  return (await query.orderBy('started_at').orderBy('id').limit(pageSize).execute()).map(believableRow);
}

/** The recordings of an account without a readable start, which therefore can't be paged: all at once. */
export async function undatedRecordings(queries: Queries, ownerId: string): Promise<RecordingRow[]> {
  const rows = await queries
    .selectFrom('recordings')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where(believableMomentOf('started_at'), 'is', null)
    .execute();
  return rows.map(believableRow);
}

const importedFileOf = (queries: Queries, recordingId: string): Promise<ImportedFileRow | undefined> =>
  queries.selectFrom('imported_files').selectAll().where('recording_id', '=', recordingId).executeTakeFirst();

// Sorted by id, which every installation sorts alike; databases differ in sorting names.
const tagsOf = async (queries: Queries, recordingId: string): Promise<TagRow[]> =>
  (
    await queries
      .selectFrom('recording_tags')
      .innerJoin('tags', 'tags.id', 'recording_tags.tag_id')
      .selectAll('tags')
      .where('recording_id', '=', recordingId)
      .orderBy('tags.id')
      .execute()
  ).map(believableTag);

/** The data of a recording other than its sound, in a stable order. */
export const notedOf = async (queries: Queries, recordingId: string): Promise<Noted> => ({
  markers: await markersOf(queries, recordingId),
  notes: await storedNotesOf(queries, recordingId),
  tags: await tagsOf(queries, recordingId),
  file: await importedFileOf(queries, recordingId),
  // Only its owner can star or play a recording, so there is at most one row.
  isFavourite:
    (await queries
      .selectFrom('favourites')
      .select('recording_id')
      .where('recording_id', '=', recordingId)
      .limit(1)
      .executeTakeFirst()) !== undefined,
  passages: await passagesOf(queries, recordingId),
  position: (
    await queries
      .selectFrom('playback_positions')
      .selectAll()
      .where('recording_id', '=', recordingId)
      .execute()
  ).map((row) => believablePosition(row))[0],
});

/** The data of a user other than recordings, in a stable order. */
export const accountOf = async (
  queries: Queries,
  ownerId: string,
): Promise<{ tags: TagRow[]; views: SavedViewRow[]; shares: SharedSettings[] }> => ({
  tags: (
    await queries.selectFrom('tags').selectAll().where('owner_id', '=', ownerId).orderBy('id').execute()
  ).map(believableTag),
  views: await queries
    .selectFrom('saved_views')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute(),
  shares: await sharedSettingsOf(queries, ownerId),
});
