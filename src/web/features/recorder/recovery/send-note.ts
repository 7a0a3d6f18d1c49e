import type { TakeNote } from '#device/takes/take-record.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { mergedNoteText } from './merged-note.ts';

/** The notes of a take; `sentText` is missing where no store of this device has them. */
export interface NotesOfTake {
  id: string;
  notes?: readonly (TakeNote & { sentText?: string | null })[] | undefined;
}

/** The text of a note of the take; null where it has none: then the server has no such note either. */
export function noteTextOf({ notes = [] }: NotesOfTake, noteId: string): string | null {
  const text = notes.find(({ id }) => id === noteId)?.text ?? '';
  return text.trim() === '' ? null : text;
}

/** Sends a note of a take that the server may have already, as it is now. */
export async function sendNote(take: NotesOfTake, noteId: string): Promise<unknown> {
  const params = { recordingId: take.id, noteId };
  const note = take.notes?.find(({ id }) => id === noteId);
  const text = noteTextOf(take, noteId);
  if (!note || text === null) return call('removeNote', { params });
  // Added where there is none of it; one that is there answers as it is.
  const there = await call('createNote', {
    params: { recordingId: take.id },
    body: { id: noteId, fromMs: note.atMs, text },
  });
  const merged = mergedNoteText(there.text, note.sentText ?? there.text, text);
  if (merged === there.text) return there;
  try {
    return await call('changeNote', { params, body: { revision: there.revision, text: merged } });
  } catch (error) {
    // Someone changed the note at this moment: it is read again by the next attempt.
    if (error instanceof ApiError && error.code === 'note-changed') return sendNote(take, noteId);
    throw error;
  }
}
