import type { FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import { TakeMarkers } from './take-markers.ts';
import { TakeNotes } from './take-notes.ts';
import { TakePassages } from './take-passages.ts';

type MarkerCommand = Extract<ToTakeWorker, { markerId: string }>;
type NoteCommand = Extract<ToTakeWorker, { noteId: string }>;
type PassageCommand = Extract<ToTakeWorker, { passageId: string }>;
type LabelCommand = MarkerCommand | NoteCommand | PassageCommand;

/** Whether a command is about a marker, a note or a passage. */
export const isOfLabels = (command: ToTakeWorker): command is LabelCommand =>
  'markerId' in command || 'noteId' in command || 'passageId' in command;

/** The markers, notes and passages of a take: applies the page's changes and posts the results. */
export class TakeLabelsWriter {
  readonly markers: TakeMarkers;
  readonly notes: TakeNotes;
  readonly passages: TakePassages;
  readonly #post: (message: FromTakeWorker) => void;

  constructor(writer: TakeRecordWriter, post: (message: FromTakeWorker) => void) {
    this.markers = new TakeMarkers(writer);
    this.notes = new TakeNotes(writer);
    this.passages = new TakePassages(writer);
    this.#post = post;
  }

  /** Posts the labels of a recovered take. */
  start(): void {
    if (this.markers.all.length > 0) this.#postMarkers();
    if (this.notes.all.length > 0) this.#postNotes();
    if (this.passages.all.length > 0) this.postPassages();
  }

  /** Handles a command of the page at `nowMs`, milliseconds in the take. Resolves when the change is on the disk. */
  async handle(command: LabelCommand, nowMs: number): Promise<void> {
    if ('markerId' in command) {
      const changed = this.#changeMarkers(command, nowMs);
      this.#postMarkers();
      await changed;
    } else if ('passageId' in command) {
      const { type, passageId } = command;
      const changed =
        type === 'start-passage'
          ? this.passages.start(passageId, nowMs)
          : this.passages.end(passageId, nowMs);
      this.postPassages();
      await changed;
    } else {
      const changed = this.#changeNotes(command, nowMs);
      this.#postNotes();
      await changed;
    }
  }

  /** Posts the passages, which the server confirms one by one. */
  postPassages(): void {
    this.#post({ type: 'passages', passages: this.passages.all });
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
    if (command.type === 'close-note') return this.notes.close(command.noteId);
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
