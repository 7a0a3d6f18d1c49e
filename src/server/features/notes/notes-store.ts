import { believableNote } from '#server/storage/believable/believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { NoteRow } from '#server/storage/database/notes-schema.ts';
import { noteColumns } from '#server/storage/ownership/label-columns.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';

export { storedNotesOf as listNotes } from '#server/storage/ownership/read-labels.ts';

/** One note by its id alone: ids are made on devices and unique everywhere. */
export async function findNote(queries: Queries, id: string): Promise<NoteRow | undefined> {
  const row = await queries.selectFrom('notes').select(noteColumns).where('id', '=', id).executeTakeFirst();
  return row && believableNote(row);
}

/** Adds a note; nothing happens where its id is taken. */
export async function insertNote(queries: Queries, row: NoteRow): Promise<void> {
  await queries
    .insertInto('notes')
    .values({ ...row, ...wordColumnsOf(row.text) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Writes the next revision of a note; false where the row is no longer the one it was made of. */
export async function replaceNote(
  queries: Queries,
  before: NoteRow,
  after: Pick<NoteRow, 'text' | 'from_ms' | 'to_ms' | 'updated_at'>,
): Promise<boolean> {
  const { text, from_ms, to_ms, updated_at } = after;
  const words = text === before.text ? {} : wordColumnsOf(text);
  const { numUpdatedRows } = await queries
    .updateTable('notes')
    .set({ ...words, text, from_ms, to_ms, updated_at, revision: before.revision + 1 })
    .where('id', '=', before.id)
    .where('revision', '=', before.revision)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a note of this recording, if it is there. */
export async function deleteNote(queries: Queries, note: { id: string; recordingId: string }): Promise<void> {
  await queries
    .deleteFrom('notes')
    .where('id', '=', note.id)
    .where('recording_id', '=', note.recordingId)
    .execute();
}
