import { believableMarker, believableNote } from './believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { NoteRow, MarkerRow } from '#server/storage/database/schema.ts';

/** The columns of a marker, without its search words, which can be longer than everything else. */
export const markerColumns = [
  'id',
  'recording_id',
  'at_ms',
  'label',
  'colour',
  'created_by',
  'created_at',
] as const;

/** The columns of a note, without its search words. */
export const noteColumns = [
  'id',
  'recording_id',
  'from_ms',
  'to_ms',
  'text',
  'revision',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** Returns the displayable markers of one recording in time order. */
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

/** Returns the displayable notes of one recording in time order. */
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
