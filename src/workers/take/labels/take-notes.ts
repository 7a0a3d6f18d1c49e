import type { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import { notesOf, type StoredNote, type TakeNote } from '#device/takes/take-record.ts';
import { settledAfterMs } from './take-markers.ts';

const isBlank = ({ text }: StoredNote): boolean => text.trim() === '';

/**
 * The notes of a take: every change is stored on the device at once, and sent once the user rests or the take
 * is stopped.
 */
export class TakeNotes {
  readonly #writer: TakeRecordWriter;
  readonly #changedAtMs = new Map<string, number>();

  constructor(writer: TakeRecordWriter) {
    this.#writer = writer;
  }

  get all(): TakeNote[] {
    return notesOf(this.#writer.record);
  }

  /** Adds a note without text; a second one of the same id changes nothing. */
  async add(id: string, atMs: number): Promise<void> {
    if (this.#find(id)) return;
    this.#changedAtMs.set(id, Date.now());
    await this.#writer.change({
      notes: [...this.#notes, { id, atMs, text: '', sentText: null }].toSorted((a, b) => a.atMs - b.atMs),
    });
  }

  /** Replaces the text of a note. */
  async write(id: string, text: string): Promise<void> {
    const before = this.#find(id);
    if (!before) return;
    this.#changedAtMs.set(id, Date.now());
    await this.#writer.change(
      { notes: this.#with({ ...before, text }) },
      before.sentText === null ? null : `note ${id}`,
    );
  }

  /** Removes a note here, and from the server where it is there already. */
  async remove(id: string): Promise<void> {
    const before = this.#find(id);
    if (!before) return;
    await this.#writer.change(
      { notes: this.#notes.filter((note) => note.id !== id) },
      before.sentText === null ? null : `note ${id}`,
    );
  }

  /**
   * The next note for the server; `isStopped` hurries those that were written only just now. Notes without
   * text are not sent.
   */
  nextToSend(isStopped: boolean): TakeNote | null {
    const latestMs = Date.now() - settledAfterMs;
    const next = this.#notes.find(
      (note) =>
        note.sentText === null &&
        !isBlank(note) &&
        (isStopped || (this.#changedAtMs.get(note.id) ?? 0) <= latestMs),
    );
    return next ? { id: next.id, atMs: next.atMs, text: next.text } : null;
  }

  /** The server has the note as it was sent; what was done to the note since is owed. */
  async setSent({ id, text }: TakeNote): Promise<void> {
    const now = this.#find(id);
    await this.#writer.change(
      { notes: now ? this.#with({ ...now, sentText: text }) : this.#notes },
      now?.text === text ? null : `note ${id}`,
    );
  }

  get #notes(): readonly StoredNote[] {
    return this.#writer.record.notes ?? [];
  }

  #find(id: string): StoredNote | undefined {
    return this.#notes.find((note) => note.id === id);
  }

  #with(changed: StoredNote): StoredNote[] {
    return this.#notes.map((note) => (note.id === changed.id ? changed : note));
  }
}
