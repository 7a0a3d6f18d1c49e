import type { PageNote } from '#device/records/take-record.ts';
import type { NoteDraft } from '#device/outbox/outbox-entry.ts';
import { sendNote } from '#device/sync/send-note.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { dropHandedOverNote, handOverNote } from '#web/outbox/hand-over-note.ts';
import { isTextRejected, noteCallsOf } from '#web/outbox/send-note.ts';

/** A take, as far as its notes are sent. */
export interface NotesOfTake {
  id: string;
  notes?: readonly PageNote[] | undefined;
}

/** The text of a note; null if it was removed or is empty. The server must not have such a note. */
export function noteTextOf({ notes = [] }: NotesOfTake, noteId: string): string | null {
  const text = notes.find(({ id }) => id === noteId)?.text ?? '';
  return text.trim() === '' ? null : text;
}

/** Whether an error says that the server does not take the text of a note of a recording that it has. */
const isTextAtFault = (error: unknown): boolean =>
  error instanceof ApiError &&
  // While the take is being uploaded, the server may not know it yet.
  error.code !== 'not-found' &&
  error.code !== 'purged' &&
  isTextRejected(error);

/** Resolves to whether the server has the text; false if its user has to decide. */
async function isSaved(draft: NoteDraft, userId: string): Promise<boolean> {
  try {
    return (await sendNote(draft, noteCallsOf(userId, draft))).type === 'saved';
  } catch (error) {
    if (isTextAtFault(error)) return false;
    throw error;
  }
}

/**
 * Sends the current text of a note, which the server may already have. If it was changed elsewhere in the meantime,
 * or the server does not take it, the text is handed over to the outbox, and the page of the recording asks its user.
 * @param userId the user in whose session it is sent
 * @returns `waiting` if the change has to be sent again after an event
 */
export async function sendTakeNote(
  take: NotesOfTake,
  noteId: string,
  userId: string,
): Promise<'settled' | 'waiting'> {
  const recordingId = take.id;
  const note = take.notes?.find(({ id }) => id === noteId);
  const text = noteTextOf(take, noteId);
  if (!note || text === null) {
    await call('removeNote', { params: { recordingId, noteId }, hold: { owner: userId } });
    await dropHandedOverNote(userId, noteId);
    return 'settled';
  }
  const { atMs, sentText = null } = note;
  const draft = { recordingId, noteId, fromMs: atMs, toMs: null, text, revision: null, sentText };
  const isSettled =
    text === sentText || (await isSaved(draft, userId)) || (await handOverNote(userId, draft));
  return isSettled ? 'settled' : 'waiting';
}
