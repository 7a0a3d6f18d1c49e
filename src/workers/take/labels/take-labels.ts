import type { FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import { TakeMarkers } from './take-markers.ts';
import { TakeNotes } from './take-notes.ts';

type MarkerCommand = Extract<ToTakeWorker, { markerId: string }>;
type NoteCommand = Extract<ToTakeWorker, { noteId: string }>;
type LabelCommand = MarkerCommand | NoteCommand;

/** Whether a command is about a marker or a note. */
export const isOfLabels = (command: ToTakeWorker): command is LabelCommand =>
  'markerId' in command || 'noteId' in command;

/** The markers and notes of a take: applies the page's changes and posts the results. */
export class TakeLabelsWriter {
  readonly markers: TakeMarkers;
  readonly notes: TakeNotes;
  readonly #post: (message: FromTakeWorker) => void;

  constructor(writer: TakeRecordWriter, post: (message: FromTakeWorker) => void) {
    this.markers = new TakeMarkers(writer);
    this.notes = new TakeNotes(writer);
    this.#post = post;
  }

  /** Posts the labels of a recovered take. */
  start(): void {
    if (this.markers.all.length > 0) this.#postMarkers();
    if (this.notes.all.length > 0) this.#postNotes();
  }

  /** Handles a command of the page at `nowMs`, milliseconds in the take. Resolves when the change is on the disk. */
  async handle(command: LabelCommand, nowMs: number): Promise<void> {
    if ('markerId' in command) {
      const changed = this.#changeMarkers(command, nowMs);
      this.#postMarkers();
      await changed;
    } else {
      const changed = this.#changeNotes(command, nowMs);
      this.#postNotes();
      await changed;
    }
  }

  #changeMarkers(command: MarkerCommand, nowMs: number): Promise<void> {
    if (command.type === 'remove-marker') return this.markers.remove(command.markerId);
    if (command.type === 'rename-marker') return this.markers.rename(command.markerId, command.label);
    return this.markers.add({
      id: command.markerId,
      atMs: Math.max(0, nowMs - command.backMs),
      label: command.label,
    });
  }

  #changeNotes(command: NoteCommand, nowMs: number): Promise<void> {
    if (command.type === 'remove-note') return this.notes.remove(command.noteId);
    if (command.type === 'write-note') return this.notes.write(command.noteId, command.text);
    return this.notes.add(command.noteId, command.atMs ?? nowMs);
  }

  #postMarkers(): void {
    this.#post({ type: 'markers', markers: this.markers.all });
  }

  #postNotes(): void {
    this.#post({ type: 'notes', notes: this.notes.all });
  }
}
