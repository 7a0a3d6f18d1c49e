import { newId } from '#device/new-id.ts';
import { type EntryOf, newEntry, type NoteDraft, type OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { listEntries, outbox } from './page-outbox.ts';
import { unlessDraftIsOpen } from './send-note.ts';

/** Whether an entry is a draft of a take's note that its user has not changed since. */
const isHandedOver =
  (noteId: string) =>
  (entry: OutboxEntry): entry is EntryOf<'note'> =>
    entry.kind === 'note' && entry.payload.isOfTake === true && entry.payload.noteId === noteId;

const earlierDrafts = async (userId: string, noteId: string): Promise<EntryOf<'note'>[]> =>
  (await listEntries(userId)).filter(isHandedOver(noteId));

/**
 * Stores the text of a take's note that was changed elsewhere in the meantime as a draft. The page of the recording
 * asks the user what to do with it. A later text replaces that of a draft that is still as it was handed over.
 * @returns whether it is on the disk; otherwise the take has to store the change as well
 */
export async function handOverNote(userId: string, draft: NoteDraft): Promise<boolean> {
  const write = (target: string, payload: NoteDraft): Promise<boolean> =>
    outbox.store(newEntry({ userId, kind: 'note', target, payload: { ...payload, isOfTake: true } })).then(
      () => true,
      () => false,
    );
  const earlier = (await earlierDrafts(userId, draft.noteId)).find(
    ({ payload: { text } }) => text === draft.text || text === draft.sentText,
  );
  if (earlier === undefined) return write(newId(), draft);
  // The server may have what it had when the first of these texts was handed over.
  const { sentText, text } = earlier.payload;
  const isWritten = await unlessDraftIsOpen(earlier.target, () =>
    write(earlier.target, { ...draft, sentText }),
  );
  if (isWritten !== null) return isWritten;
  return text === draft.text ? false : write(newId(), draft);
}

/** Drops the drafts that were handed over of a note that its user has deleted, unless a page has them open. */
export async function dropHandedOverNote(userId: string, noteId: string): Promise<void> {
  for (const entry of await earlierDrafts(userId, noteId))
    await unlessDraftIsOpen(entry.target, () => outbox.drop(entry));
}
