import type { TakeNote } from '#device/records/take-record.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { mergedNoteText } from './merged-note.ts';

/** The notes of a take. `sentText` is missing if they are not stored on this device. */
export interface NotesOfTake {
  id: string;
  ownerId: string | null;
  notes?: readonly (TakeNote & { sentText?: string | null })[] | undefined;
}

/** The text of a note; null if it was removed or is empty. The server must not have such a note. */
export function noteTextOf({ notes = [] }: NotesOfTake, noteId: string): string | null {
  const text = notes.find(({ id }) => id === noteId)?.text ?? '';
  return text.trim() === '' ? null : text;
}

/** Sends the current text of a note, which the server may already have. */
export async function sendNote(take: NotesOfTake, noteId: string): Promise<unknown> {
  const params = { recordingId: take.id, noteId };
  // Named, because the session of another user would answer that there is no such recording.
  const hold = { owner: take.ownerId };
  const note = take.notes?.find(({ id }) => id === noteId);
  const text = noteTextOf(take, noteId);
  if (!note || text === null) return call('removeNote', { params, hold });
  // Creates the note, or returns the existing one unchanged.
  const there = await call('createNote', {
    params: { recordingId: take.id },
    hold,
    body: { id: noteId, fromMs: note.atMs, text },
  });
  const merged = mergedNoteText(there.text, note.sentText ?? there.text, text);
  if (merged === there.text) return there;
  try {
    return await call('changeNote', { params, hold, body: { revision: there.revision, text: merged } });
  } catch (error) {
    // The note was changed by another request in the meantime, so read and merge it again.
    if (error instanceof ApiError && error.code === 'note-changed') return sendNote(take, noteId);
    throw error;
  }
}
