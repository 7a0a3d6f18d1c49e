import { getTake } from '#device/takes/takes-store.ts';
import { sendPendingChanges } from '#web/features/recorder/recovery/take-actions.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { sendNote, type NotesOfTake } from '#web/features/recorder/recovery/send-note.ts';

/**
 * A note of a take was closed: the server is sent what it has an older version of. Without a store of this
 * device, the note is sent as the page knows it.
 */
export async function sendClosedNote(take: NotesOfTake, noteId: string): Promise<void> {
  const record = await getTake(take.id).catch(() => null);
  if (record !== null) return sendPendingChanges(take.id);
  if (serverRegistry.userId() === null) return undefined;
  // What cannot be sent now is sent by the worker of the take, which has the note in hand.
  await sendNote(take, noteId).catch(() => undefined);
  return undefined;
}
