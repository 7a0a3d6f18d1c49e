import { getTake } from '#device/takes/takes-store.ts';
import { sendPendingChanges } from '#web/features/recorder/recovery/take-actions.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { sendNote, type NotesOfTake } from '#web/features/recorder/recovery/send-note.ts';

/**
 * Sends the pending changes of a take after a note was closed. If the take is not stored on this device, sends the
 * note from the page's memory.
 */
export async function sendClosedNote(take: NotesOfTake, noteId: string): Promise<void> {
  const record = await getTake(take.id).catch(() => null);
  if (record !== null) return sendPendingChanges(take.id);
  if (serverRegistry.userId() === null) return undefined;
  // On failure, the take's worker sends the note later.
  await sendNote(take, noteId).catch(() => undefined);
  return undefined;
}
