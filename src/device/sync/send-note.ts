import { codeOf } from '#base/errors/code-of.ts';
import type { Note } from '#contract/notes-api.ts';

/** Typed text that the server doesn't have, as it is stored until then. */
export interface UnsavedNote {
  text: string;
  /** The revision that was edited; null if it is unknown or the server doesn't have the note. */
  revision: number | null;
  /** The text of this device that the server has, or may have without a response. If it has it, no one else wrote it. */
  sentText: string | null;
}

/** The requests for one note. */
export interface NoteCalls {
  /**
   * Writes the text on top of `revision`; null creates the note, or returns the one that exists unchanged.
   * @throws an error with the code `note-changed` if the server has another revision
   */
  send: (text: string, revision: number | null) => Promise<Note>;
  /** Reads the note from the server; null if it doesn't exist. */
  read: () => Promise<Note | null>;
}

/** `text`: what the server has. `theirs`: what was written elsewhere in the meantime; the user decides. */
export type NoteOutcome =
  | { type: 'saved'; revision: number; text: string }
  | { type: 'conflict'; theirs: Note };

const savedNote = ({ revision, text }: Pick<Note, 'revision' | 'text'>): NoteOutcome => ({
  type: 'saved',
  revision,
  text,
});

/**
 * Makes one attempt to write the text of a note. The one rule for conflicts: a text that was changed elsewhere in the
 * meantime is neither overwritten nor joined with this one.
 * @returns `saved` with another text than the one sent if the server has an earlier text of this device
 * @throws the error of the call
 */
export async function saveNoteText(
  { text, revision, sentText }: UnsavedNote,
  calls: NoteCalls,
): Promise<NoteOutcome> {
  const outcomeOf = (there: Note): NoteOutcome =>
    there.text === text || there.text === sentText ? savedNote(there) : { type: 'conflict', theirs: there };
  try {
    const note = await calls.send(text, revision);
    return revision === null ? outcomeOf(note) : savedNote({ revision: note.revision, text });
  } catch (error) {
    if (codeOf(error) !== 'note-changed') throw error;
    const there = await calls.read().catch(() => null);
    if (there === null) throw error;
    return outcomeOf(there);
  }
}

/**
 * Writes the text of a note until the server has it, or a conflict waits for its user.
 * @throws the error of the call that failed
 */
export async function sendNote(unsaved: UnsavedNote, calls: NoteCalls): Promise<NoteOutcome> {
  const outcome = await saveNoteText(unsaved, calls);
  if (outcome.type === 'conflict' || outcome.text === unsaved.text) return outcome;
  return sendNote({ text: unsaved.text, revision: outcome.revision, sentText: null }, calls);
}
