import { createStore } from '#base/store.ts';
import { newId } from '#device/new-id.ts';
import { collectTyping } from '#web/shortcuts/typing-ahead.ts';
import type { TakeNote } from '#device/takes/take-record.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isOpen, takeOf } from '#web/features/recorder/take/take.ts';
import { sendClosedNote } from './send-closed-note.ts';

/** A note of the running recording that is open for writing, and where the focus was before. */
export interface NoteBeingWritten {
  noteId: string;
  from: Element | null;
}

const store = createStore<NoteBeingWritten | null>(null);

const noteOf = (noteId: string) => takeOf(recorder.getSnapshot())?.notes.find(({ id }) => id === noteId);

/** The note of the running recording that is open for writing. */
export const noteBeingWritten = {
  subscribe: store.subscribe,
  getSnapshot: store.getSnapshot,

  /**
   * Begins a note at this moment of the recording. Letters that are typed before its field appears belong to
   * it.
   */
  start(): void {
    if (!isOpen(recorder.getSnapshot())) return;
    this.close();
    const noteId = newId();
    recorder.changeNote({ type: 'add-note', noteId });
    this.open(noteId);
  },

  /** Opens a note that exists. */
  open(noteId: string): void {
    if (store.getSnapshot()?.noteId !== noteId) this.close();
    collectTyping();
    store.set({ noteId, from: document.activeElement });
  },

  /** Closes the note. A note without text is removed; the server is sent what it does not have yet. */
  close(): void {
    const open = store.getSnapshot();
    if (!open) return;
    store.set(null);
    const take = takeOf(recorder.getSnapshot());
    const note = noteOf(open.noteId);
    if (note?.text.trim() === '') recorder.changeNote({ type: 'remove-note', noteId: open.noteId });
    if (take && note) void sendClosedNote(take, open.noteId);
  },

  /**
   * Removes a note, and returns what puts it back: an id is not used twice, so a new note gets the same text.
   */
  remove({ id, atMs, text }: TakeNote): () => void {
    recorder.changeNote({ type: 'remove-note', noteId: id });
    const take = takeOf(recorder.getSnapshot());
    if (take) void sendClosedNote({ ...take, notes: take.notes.filter((note) => note.id !== id) }, id);
    return () => {
      const noteId = newId();
      recorder.changeNote({ type: 'add-note', noteId, atMs });
      recorder.changeNote({ type: 'write-note', noteId, text });
    };
  },
};
