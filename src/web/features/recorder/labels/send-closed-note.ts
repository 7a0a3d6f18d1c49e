import { getTake } from '#device/takes/takes-store.ts';
import { sendPendingChanges } from '#web/features/recorder/recovery/take-actions.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { noteTextOf, sendTakeNote, type NotesOfTake } from '#web/features/recorder/recovery/send-note.ts';

/** The texts that this page has sent of notes whose takes are not stored on this device, by note. */
const sentTexts = new Map<string, string>();

/**
 * Sends the pending changes of a take after a note was closed. If the take is not stored on this device, sends the
 * note from the page's memory.
 */
export async function sendClosedNote(take: NotesOfTake, noteId: string): Promise<void> {
  const record = await getTake(take.id).catch(() => null);
  if (record !== null) return sendPendingChanges(take.id);
  const userId = serverRegistry.userId();
  if (userId === null) return undefined;
  const known = sentTexts.get(noteId);
  const notes = take.notes?.map((note) =>
    note.id === noteId && known !== undefined ? { ...note, sentText: known } : note,
  );
  const text = noteTextOf(take, noteId);
  await sendTakeNote({ id: take.id, notes }, noteId, userId).then(
    (result) => result === 'settled' && text !== null && sentTexts.set(noteId, text),
    // The take's worker sends the note later.
    () => undefined,
  );
  return undefined;
}
