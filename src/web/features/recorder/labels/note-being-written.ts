import { createStore } from '#base/store.ts';
import { newId } from '#device/new-id.ts';
import { collectTyping } from '#web/shortcuts/typing-ahead.ts';
import type { TakeNote } from '#device/records/take-record.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isOpen, takeOf } from '#web/features/recorder/take/take.ts';
import { sendClosedNote } from './send-closed-note.ts';

/** The open note of the running take, and the element that had the focus before. */
export interface NoteBeingWritten {
  noteId: string;
  /** Whether it was just started: its field is below the waveform, not in the list. */
  isNew: boolean;
  from: Element | null;
}

const store = createStore<NoteBeingWritten | null>(null);

const noteOf = (noteId: string) => takeOf(recorder.getSnapshot())?.notes.find(({ id }) => id === noteId);

function open(noteId: string, isNew: boolean): void {
  collectTyping();
  store.set({ noteId, isNew, from: document.activeElement });
}

/** The note of the running take that is open for editing. */
export const noteBeingWritten = {
  subscribe: store.subscribe,
  getSnapshot: store.getSnapshot,

  /**
   * Starts a note at the current moment of the take. Letters that are typed before its field appears are added to
   * it.
   */
  start(): void {
    if (!isOpen(recorder.getSnapshot())) return;
    this.close();
    const noteId = newId();
    recorder.changeLabel({ type: 'add-note', noteId });
    open(noteId, true);
  },

  /** Opens an existing note. */
  open(noteId: string): void {
    if (store.getSnapshot()?.noteId !== noteId) this.close();
    open(noteId, false);
  },

  /** Closes the note. Removes it if it has no text, and sends the server its pending change. */
  close(): void {
    const written = store.getSnapshot();
    if (!written) return;
    store.set(null);
    const take = takeOf(recorder.getSnapshot());
    const note = noteOf(written.noteId);
    recorder.changeLabel({ type: 'close-note', noteId: written.noteId });
    if (take && note) void sendClosedNote(take, written.noteId);
  },

  /**
   * Removes a note and returns a function that restores it. The restored note has a new id, because ids are never
   * reused.
   */
  remove({ id, atMs, text }: TakeNote): () => void {
    recorder.changeLabel({ type: 'remove-note', noteId: id });
    const take = takeOf(recorder.getSnapshot());
    if (take) void sendClosedNote({ ...take, notes: take.notes.filter((note) => note.id !== id) }, id);
    return () => {
      const noteId = newId();
      recorder.changeLabel({ type: 'add-note', noteId, atMs });
      recorder.changeLabel({ type: 'write-note', noteId, text });
    };
  },
};
