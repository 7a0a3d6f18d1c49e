import { createStore } from '#base/store.ts';
import type { Note } from '#contract/notes-api.ts';
import { newId } from '#device/new-id.ts';
import type { NoteCalls } from '#device/sync/send-note.ts';
import { newEntry, type EntryOf, type OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { ApiError } from '#web/api/api-error.ts';
import { userScope } from '#web/api/user-scope.ts';
import { viewerId } from '#web/api/viewer.ts';
import { NoteSaver } from '#web/outbox/note-saver.ts';
import { outbox, pendingEntries } from '#web/outbox/page-outbox.ts';
import { claimDraft, openDraft } from '#web/outbox/send-note.ts';
import type { NoteMoment } from './note-place.tsx';

interface NoteOfRecording {
  /** The note's id. */
  id: string;
  recordingId: string;
  place: NoteMoment;
}

/** A note that is being edited, or whose text is not on the server yet. */
interface OpenNote extends NoteOfRecording {
  /** The note was created here, and its row stays in place until Done. */
  isNew: boolean;
  saver: NoteSaver;
  userId: string | null;
}

type NoteEntry = EntryOf<'note'>;

/** The internal state of an open note. */
interface Draft {
  id: string;
  note: OpenNote;
  /** The outbox entry of the note, if any. */
  stored: NoteEntry | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves when an entry that was dropped is gone. */
  dropped: Promise<void>;
  close: () => void;
}

/** Typed text is written to disk within this time. */
const storedWithinMs = 500;

const store = createStore<readonly OpenNote[]>([]);
const drafts = new Map<NoteSaver, Draft>();
/** The savers whose editors are on screen. Their notes are closed by Done, not by a successful save. */
const shown = new Set<NoteSaver>();
let isListening = false;

/**
 * Text is only sent in the session of the user who wrote it.
 * @throws ApiError `session-required` if another user or no user is signed in
 */
const callsFor = (owner: string | null, { send, read }: NoteCalls): NoteCalls => ({
  send: async (text, revision) => {
    if (viewerId() !== owner) throw new ApiError({ code: 'session-required', status: 0, problem: null });
    return send(text, revision);
  },
  read,
});

const isSettled = (saver: NoteSaver): boolean => !saver.isBehind && saver.getSnapshot().status !== 'conflict';

/** Drops the stored entry. The draft's lock is held until it is gone: another page would reopen it. */
function drop(draft: Draft, stored: NoteEntry): void {
  draft.stored = null;
  draft.dropped = outbox.drop(stored).catch(() => undefined);
}

/** Stores the unsaved text of a note, or drops the stored entry once everything is saved. */
function storeDraft(draft: Draft): void {
  clearTimeout(draft.timer);
  draft.timer = undefined;
  const { saver, userId, id: noteId, recordingId, place } = draft.note;
  const { unsaved } = saver;
  const { stored } = draft;
  if (unsaved && userId !== null) {
    const isStored =
      stored?.payload.text === unsaved.text &&
      stored.payload.revision === unsaved.revision &&
      stored.payload.sentText === unsaved.sentText;
    if (isStored) return;
    const payload = { recordingId, noteId, ...place, ...unsaved };
    draft.stored = newEntry({ userId, kind: 'note', target: draft.id, payload });
    // If the write to disk fails, the entry lasts until the page closes.
    outbox.store(draft.stored).catch(() => undefined);
  } else if (stored && isSettled(saver)) drop(draft, stored);
}

function follow(draft: Draft): void {
  const { saver } = draft.note;
  if (isSettled(saver)) {
    storeDraft(draft);
    if (!shown.has(saver)) remove(draft);
  } else draft.timer ??= setTimeout(() => storeDraft(draft), storedWithinMs);
}

/** Resolves when the note is closed. */
function add(note: OpenNote, id: string, stored: NoteEntry | null): Promise<void> {
  listen();
  const { saver } = note;
  const opened = openDraft(id, saver, stored !== null);
  const unfollow = saver.subscribe(() => follow(draft));
  const draft: Draft = {
    id,
    note,
    stored,
    timer: undefined,
    dropped: Promise.resolve(),
    close: () => {
      clearTimeout(draft.timer);
      unfollow();
      void draft.dropped.then(opened.close);
    },
  };
  drafts.set(saver, draft);
  store.set([note, ...store.getSnapshot()]);
  return opened.closed;
}

function remove(draft: Draft): void {
  draft.close();
  drafts.delete(draft.note.saver);
  store.set(store.getSnapshot().filter((one) => one !== draft.note));
}

function storeAll(): void {
  for (const draft of drafts.values()) storeDraft(draft);
}

// The outbox stores the unsaved text for the user's next session.
userScope.onUserLeft(() => {
  for (const draft of drafts.values()) {
    storeDraft(draft);
    remove(draft);
  }
});

function listen(): void {
  if (isListening) return;
  isListening = true;
  addEventListener('visibilitychange', storeAll);
  addEventListener('pagehide', () => {
    // First, because it notes the text that is sent.
    for (const { saver } of store.getSnapshot()) void saver.flush();
    storeAll();
  });
}

/** A note has one editor. If several drafts of a note are stored, the next one opens after the first is done. */
const isOpen = (noteId: string): boolean => store.getSnapshot().some(({ id }) => id === noteId);

const isNoteOf =
  (recordingId: string) =>
  (entry: OutboxEntry): entry is NoteEntry =>
    entry.kind === 'note' && entry.payload.recordingId === recordingId;

function reopen(entry: NoteEntry, calls: NoteCalls): Promise<void> {
  const { noteId, recordingId, fromMs, toMs, ...unsaved } = entry.payload;
  const saver = new NoteSaver(null, callsFor(entry.userId, calls), unsaved);
  const isNew = unsaved.revision === null;
  const { userId } = entry;
  const place = { fromMs, toMs };
  return add({ id: noteId, recordingId, place, isNew, saver, userId }, entry.target, entry);
}

/**
 * The notes of this page that are being edited or not saved yet. The outbox stores them until the server has them.
 */
export const openNotes = {
  subscribe: store.subscribe,
  getSnapshot: store.getSnapshot,
  /**
   * Opens an existing note, or a new one if `note` is null. Does nothing if the note is already open, so its
   * unsaved text stays.
   */
  open(note: Note | null, { id, recordingId, place }: NoteOfRecording, calls: NoteCalls): void {
    if (isOpen(id)) return;
    const userId = viewerId();
    const saver = new NoteSaver(note, callsFor(userId, calls));
    void add({ id, recordingId, place, isNew: note === null, saver, userId }, newId(), null);
  },
  /**
   * Reopens the notes of a recording that an earlier page could not save.
   * @returns a function that stops this
   */
  reopenStored(recordingId: string, callsOf: (note: NoteOfRecording) => NoteCalls): () => void {
    const ended = new AbortController();
    const requested = new Set<string>();
    const isFree = ({ target, payload }: NoteEntry): boolean =>
      !requested.has(target) && !isOpen(payload.noteId);
    const reopenFree = (): void => {
      for (const { target } of pendingEntries.getSnapshot().filter(isNoteOf(recordingId)).filter(isFree)) {
        requested.add(target);
        claimDraft(target, ended.signal, async () => {
          requested.delete(target);
          const now = pendingEntries.getSnapshot().filter(isNoteOf(recordingId));
          const entry = now.find((one) => one.target === target);
          // The page that had it open may have saved it since.
          if (!entry || !(await outbox.has(entry)) || ended.signal.aborted || !isFree(entry)) return;
          const { noteId, fromMs, toMs } = entry.payload;
          await reopen(entry, callsOf({ id: noteId, recordingId, place: { fromMs, toMs } }));
        });
      }
    };
    const ends = [pendingEntries.subscribe(reopenFree), store.subscribe(reopenFree)];
    reopenFree();
    return () => {
      ended.abort();
      for (const end of ends) end();
    };
  },
  enter(saver: NoteSaver): void {
    shown.add(saver);
  },
  /** Called when the row is unmounted. The note stays open until the server has its text. */
  leave(saver: NoteSaver): void {
    shown.delete(saver);
    const draft = drafts.get(saver);
    if (!draft) return;
    storeDraft(draft);
    void saver.flush().then(() => {
      if (drafts.has(saver)) follow(draft);
    });
  },
  /** Saves and closes a note. Resolves to false if not everything could be saved. */
  async finish(saver: NoteSaver): Promise<boolean> {
    await saver.flush();
    const isDone = isSettled(saver);
    if (isDone) openNotes.close(saver);
    return isDone;
  },
  /** Closes a note and discards its unsaved text. */
  close(saver: NoteSaver): void {
    const draft = drafts.get(saver);
    if (!draft) return;
    if (draft.stored) drop(draft, draft.stored);
    remove(draft);
  },
};
