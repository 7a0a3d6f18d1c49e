import { changeTake } from '#device/takes/takes-store.ts';
import {
  type StoredNote,
  withPendingChange,
  type TakeRecord,
  type PendingChange,
} from '#device/takes/take-record.ts';
import type { Gap } from '#contract/recordings.ts';

/** The take's record in memory and, a moment later, on the disk. */
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
    const changed = { ...this.#record, deletedAtMs, pendingChanges, ...(notes && { notes }) };
    return this.#isTitleNew
      ? { ...changed, pendingChanges: withPendingChange(pendingChanges, 'title') }
      : { ...changed, title };
  }
}

/** Once a note is on the server, the page sends its changes, and knows what the server has of it. */
const withSent = (note: StoredNote, stored: StoredNote | undefined): StoredNote =>
  note.sentText === null ? note : { ...note, sentText: stored?.sentText ?? note.sentText };

/** The gaps of a take, in the order of time; those that touch and have one cause are one. */
export class GapLog {
  readonly #writer: TakeRecordWriter;
  readonly #onChange: (gaps: Gap[]) => void;

  /** @param onChange receives all gaps so far whenever one was named */
  constructor(writer: TakeRecordWriter, onChange: (gaps: Gap[]) => void) {
    this.#writer = writer;
    this.#onChange = onChange;
  }

  get all(): Gap[] {
    return this.#writer.record.gaps;
  }

  /** Names a gap; whole milliseconds. A record that cannot be saved now is saved with the next change. */
  add(gap: Gap): void {
    const last = this.all.at(-1);
    const isSame = last !== undefined && last.cause === gap.cause && last.atMs + last.durationMs === gap.atMs;
    const gaps = isSame
      ? [...this.all.slice(0, -1), { ...last, durationMs: last.durationMs + gap.durationMs }]
      : [...this.all, gap];
    void this.#writer.change({ gaps }).catch(() => undefined);
    this.#onChange(gaps);
  }
}

/**
 * Pauses take no time in the sound; their places and how long they really were are kept. One of length 0 has
 * not ended: a take found so was paused when its page died.
 */
export class PauseLog {
  readonly #writer: TakeRecordWriter;
  #open: { atMs: number; sinceMs: number } | null = null;

  constructor(writer: TakeRecordWriter) {
    this.#writer = writer;
  }

  /** A pause begins at this place of the recording. */
  async start(atMs: number): Promise<void> {
    if (this.#open !== null) return;
    this.#open = { atMs, sinceMs: Date.now() };
    await this.#writer.change({ pauses: [...this.#writer.record.pauses, { atMs, durationMs: 0 }] });
  }

  /** The pause, if there is one, is over. */
  async end(): Promise<void> {
    if (this.#open === null) return;
    const { atMs, sinceMs } = this.#open;
    this.#open = null;
    await this.#writer.change({
      pauses: withLastPause(this.#writer.record.pauses, {
        atMs,
        durationMs: Math.max(1, Date.now() - sinceMs),
      }),
    });
  }
}

function withLastPause(
  pauses: TakeRecord['pauses'],
  pause: TakeRecord['pauses'][number],
): TakeRecord['pauses'] {
  return [...pauses.filter(({ durationMs }) => durationMs > 0), pause];
}
