import type { Note } from '#contract/notes-api.ts';
import type { EntryOf, NoteDraft } from '#device/outbox/outbox-entry.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { withChangesLock } from '#device/sync/changes-lock.ts';
import { type NoteCalls, sendNote, type UnsavedNote } from '#device/sync/send-note.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { readAgain } from '#web/api/queries/optimistic-change.ts';
import type { NoteSaver } from './note-saver.ts';
import { isRejection, resultOf } from './send-result.ts';

/** The savers of this page's open drafts, by draft. Each sends its own text. */
const openSavers = new Map<string, NoteSaver>();

/** Stored drafts that conflict with a change made elsewhere. They wait for their user, so they are sent once. */
const conflicts = new Set<string>();

const lockOf = (draftId: string): string => `outbox note ${draftId}`;

/**
 * Opens a draft. Until it is closed, no other page opens or sends it, and this page sends it through its saver.
 * @param isClaimed whether `claimDraft` already holds its lock
 */
export function openDraft(
  draftId: string,
  saver: NoteSaver,
  isClaimed: boolean,
): { close: () => void; closed: Promise<void> } {
  openSavers.set(draftId, saver);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  if (!isClaimed) void navigator.locks?.request(lockOf(draftId), () => closed);
  const close = (): void => {
    openSavers.delete(draftId);
    resolve();
  };
  return { close, closed };
}

/**
 * Opens a stored draft once no other page has it open or is sending it.
 * @param open resolves when this page has closed the draft
 */
export function claimDraft(draftId: string, signal: AbortSignal, open: () => Promise<void>): void {
  if (navigator.locks) navigator.locks.request(lockOf(draftId), { signal }, open).catch(() => undefined);
  else void open();
}

/** The server's version of the note; null if it has none. */
const readNote = async (recordingId: string, noteId: string): Promise<Note | null> =>
  (await call('listNotes', { params: { recordingId } })).items.find(({ id }) => id === noteId) ?? null;

/** The requests for a note. Each names its user, because another one may have signed in. */
export function noteCallsOf(
  userId: string | null,
  { recordingId, noteId, fromMs, toMs }: Omit<NoteDraft, keyof UnsavedNote>,
): NoteCalls {
  const hold = { owner: userId };
  return {
    send: (text, revision) =>
      revision === null
        ? call('createNote', { params: { recordingId }, hold, body: { id: noteId, text, fromMs, toMs } })
        : call('changeNote', { params: { recordingId, noteId }, hold, body: { text, revision } }),
    read: () => readNote(recordingId, noteId),
  };
}

/** Whether the recording was deleted permanently: the server then has no list of its notes. */
const isPurged = (recordingId: string): Promise<boolean> =>
  call('listNotes', { params: { recordingId } }).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.code === 'not-found',
  );

/** Whether the server does not take a text, now or ever. Its user may shorten it, or put it elsewhere. */
export function isTextRejected(error: unknown): boolean {
  const result = resultOf(error);
  return result === 'settled' || (result === 'later' && isRejection(error));
}

/** Never drops a text, whatever the server's response, unless its recording was deleted permanently. */
async function resultOfFailure(
  error: unknown,
  { recordingId }: EntryOf<'note'>['payload'],
): Promise<SendResult> {
  const result = resultOf(error);
  if (!(error instanceof ApiError)) return result;
  if (error.code === 'not-found') return (await isPurged(recordingId)) ? 'settled' : 'not-yet';
  return isTextRejected(error) ? 'not-yet' : result;
}

async function resultOfSaving(saver: NoteSaver, { payload }: EntryOf<'note'>): Promise<SendResult> {
  await saver.flush();
  const state = saver.getSnapshot();
  if (state.status === 'failed') return resultOfFailure(state.error, payload);
  // A conflict waits for the user's decision. Text typed during the request is in another entry.
  return state.status === 'conflict' || saver.isBehind ? 'not-yet' : 'settled';
}

async function sendClosedDraft({ id, userId, payload }: EntryOf<'note'>): Promise<SendResult> {
  if (conflicts.has(id)) return 'not-yet';
  try {
    const calls = noteCallsOf(userId, payload);
    const outcome = await withChangesLock(payload.recordingId, () => sendNote(payload, calls));
    if (outcome.type === 'conflict') {
      conflicts.add(id);
      return 'not-yet';
    }
  } catch (error) {
    return resultOfFailure(error, payload);
  }
  readAgain(queryClient, recordingKeys.notes(payload.recordingId));
  return 'settled';
}

/** Works on a draft that no page has open or is sending; returns null if one has. */
export async function unlessDraftIsOpen<Result>(
  draftId: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (openSavers.has(draftId)) return null;
  if (!navigator.locks) return work();
  return navigator.locks.request(lockOf(draftId), { ifAvailable: true }, (lock) => (lock ? work() : null));
}

/** Sends a note. An open draft is sent by its own saver. */
export async function sendNoteEntry(entry: EntryOf<'note'>): Promise<SendResult> {
  const saver = openSavers.get(entry.target);
  if (saver) return resultOfSaving(saver, entry);
  return (await unlessDraftIsOpen(entry.target, () => sendClosedDraft(entry))) ?? 'not-yet';
}
