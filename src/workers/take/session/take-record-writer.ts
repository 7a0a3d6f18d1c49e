import { changeTake } from '#device/takes/takes-store.ts';
import {
  type StoredNote,
  withPendingChange,
  type TakeRecord,
  type PendingChange,
} from '#device/takes/take-record.ts';

/** What the worker knows of its take, in memory and, a moment later, on the disk. */
export class TakeRecordWriter {
  #record: TakeRecord;
  #isTitleNew = false;

  readonly #isStored: boolean;

  /**
   * `isStored` is false for a take that this browser refuses to store: it lives in this worker's memory
   * alone.
   */
  constructor(record: TakeRecord, { isStored = true } = {}) {
    this.#record = record;
    this.#isStored = isStored;
  }

  get record(): Readonly<TakeRecord> {
    return this.#record;
  }

  /**
   * Changes the take here at once; resolves when the disk has it. Whether a take is in the trash is the
   * page's to say, and its title too where it was not given here; a take that was removed meanwhile does not
   * come back. `owed` is what the server has to hear of by a call of its own.
   */
  async change(
    fields: Partial<Omit<TakeRecord, 'id' | 'deletedAtMs' | 'pendingChanges'>>,
    owed: PendingChange | null = null,
  ): Promise<void> {
    this.#record = { ...this.#record, ...fields, updatedAtMs: Date.now() };
    if (fields.title !== undefined) this.#isTitleNew = true;
    if (!this.#isStored) return;
    const { title } = this.#record;
    await changeTake(this.#record.id, (stored) =>
      this.#over({
        ...stored,
        pendingChanges:
          owed === null ? stored.pendingChanges : withPendingChange(stored.pendingChanges, owed),
      }),
    );
    if (this.#record.title === title) this.#isTitleNew = false;
  }

  #over({ title, deletedAtMs, pendingChanges, notes: stored = [] }: TakeRecord): TakeRecord {
    const notes = this.#record.notes?.map((note) =>
      withSent(
        note,
        stored.find(({ id }) => id === note.id),
      ),
    );
    const kept = { ...this.#record, deletedAtMs, pendingChanges, ...(notes && { notes }) };
    return this.#isTitleNew
      ? { ...kept, pendingChanges: withPendingChange(pendingChanges, 'title') }
      : { ...kept, title };
  }
}

/** Once a note is on the server, the page sends its changes, and knows what the server has of it. */
const withSent = (note: StoredNote, stored: StoredNote | undefined): StoredNote =>
  note.sentText === null ? note : { ...note, sentText: stored?.sentText ?? note.sentText };
