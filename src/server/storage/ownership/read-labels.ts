import { believableMarker, believableNote } from '#server/storage/believable/believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { NoteRow } from '#server/storage/database/notes-schema.ts';
import type { MarkerRow } from '#server/storage/database/schema.ts';
import { markerColumns, noteColumns } from './label-columns.ts';

/** The markers of one recording in time order, as they can be shown. */
export const markersOf = async (queries: Queries, recordingId: string): Promise<MarkerRow[]> =>
  (
    await queries
      .selectFrom('markers')
      .select(markerColumns)
      .where('recording_id', '=', recordingId)
      .orderBy('at_ms')
      .orderBy('id')
      .execute()
  ).map(believableMarker);

/** The notes of one recording in time order, as they can be shown. */
export const storedNotesOf = async (queries: Queries, recordingId: string): Promise<NoteRow[]> =>
  (
    await queries
      .selectFrom('notes')
      .select(noteColumns)
      .where('recording_id', '=', recordingId)
      .orderBy('from_ms')
      .orderBy('id')
      .execute()
  ).map(believableNote);
