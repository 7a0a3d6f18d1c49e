import type { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import type { StoredNote, TakeNote } from '#device/records/take-record.ts';
import { type Addition, SentTexts, type TextOnServer } from '#device/sync/sent-texts.ts';
import { settledAfterMs } from './take-markers.ts';

/** A text that no note on the server has. */
const unknownText = '';

const isBlank = ({ text }: StoredNote): boolean => text.trim() === '';

/**
 * The notes of a take. Every change is saved on the device immediately, and sent once the user pauses or the take
 * is stopped.
 */
export class TakeNotes {
  readonly #writer: TakeRecordWriter;
  readonly #changedAtMs = new Map<string, number>();
  /** Those that were sent, and are sent again. */
  readonly #resent = new Set<string>();

  readonly #sentTexts = new SentTexts();

  constructor(writer: TakeRecordWriter) {
    this.#writer = writer;
  }

  get all(): StoredNote[] {
    return [...this.#notes];
  }

  /** Adds a note without text; does nothing if the id exists. */
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
      before.sentText === null ? null : { kind: 'note', id },
    );
  }

  /** Deletes a note on this device, and by a pending change on the server if it was sent. */
  async remove(id: string): Promise<void> {
    const before = this.#find(id);
    if (!before) return;
    await this.#writer.change(
      { notes: this.#notes.filter((note) => note.id !== id) },
      before.sentText === null ? null : { kind: 'note', id },
    );
  }

  /** Deletes a note that has no text. */
  async close(id: string): Promise<void> {
    const note = this.#find(id);
    if (note && isBlank(note)) await this.remove(id);
  }

  /** The next note to send; `isStopped` includes notes that were changed just now. Empty notes are not sent. */
  nextToSend(isStopped: boolean): TakeNote | null {
    const latestMs = Date.now() - settledAfterMs;
    const next = this.#notes.find(
      (note) =>
        !isBlank(note) &&
        (this.#resent.has(note.id) ||
          (note.sentText === null && (isStopped || (this.#changedAtMs.get(note.id) ?? 0) <= latestMs))),
    );
    return next ? { id: next.id, atMs: next.atMs, text: next.text } : null;
  }

  /** Makes one attempt to add a note to the recording. @returns the text that the server has */
  async send(note: TakeNote, add: () => Promise<Addition>): Promise<TextOnServer> {
    const known = this.#find(note.id)?.sentText ?? null;
    const { text } = await this.#sentTexts.send(note, add);
    return { text: text ?? known };
  }

  /**
   * Records which text the server has of a note that was sent. Another text here becomes a pending change; if the
   * server's is unknown, the page asks for it. So does a text that the server does not take: the page shows its user why.
   */
  async setSent({ id }: TakeNote, answer: TextOnServer | 'rejected'): Promise<void> {
    this.#resent.delete(id);
    const now = this.#find(id);
    const sentText = answer === 'rejected' ? unknownText : (answer.text ?? unknownText);
    await this.#writer.change(
      { notes: now ? this.#with({ ...now, sentText }) : this.#notes },
      now?.text === sentText ? null : { kind: 'note', id },
    );
  }

  /** Makes the notes that were sent be sent again. The server may have lost some. */
  sendAgain(): void {
    for (const { id, sentText } of this.#notes) if (sentText !== null) this.#resent.add(id);
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
