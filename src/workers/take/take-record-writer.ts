import { changeTake } from '#device/takes/takes-store.ts';
import { type PendingChange, withPendingChange } from '#device/records/pending-change.ts';
import type { StoredNote, TakeRecord } from '#device/records/take-record.ts';
import type { Gap } from '#contract/recordings.ts';

/** The take's record in memory, saved to disk after each change. */
export class TakeRecordWriter {
  #record: TakeRecord;
  #isTitleNew = false;

  readonly #isStored: boolean;

  /** `isStored` is false for a take that this browser rejects to store: it is in this worker's memory only. */
  constructor(record: TakeRecord, { isStored = true } = {}) {
    this.#record = record;
    this.#isStored = isStored;
  }

  get record(): Readonly<TakeRecord> {
    return this.#record;
  }

  /**
   * Changes the record in memory immediately. Resolves when it is on the disk. The page decides about the trash,
   * and about the title unless it was set here. A take that was deleted meanwhile is not stored again. `owed` is a
   * change that the server has to receive by a separate request.
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
      ? { ...changed, pendingChanges: withPendingChange(pendingChanges, { kind: 'title' }) }
      : { ...changed, title };
  }
}

/** Once a note is on the server, the page sends its changes and records the text that the server has. */
const withSent = (note: StoredNote, stored: StoredNote | undefined): StoredNote =>
  note.sentText === null ? note : { ...note, sentText: stored?.sentText ?? note.sentText };

/** The server accepts 10,000 gaps (`finishRecordingSchema`). */
const maxGaps = 8000;

/**
 * The gaps of a take in order of time. Adjacent gaps with the same cause are merged, and from `maxGaps` on all that
 * follow each other with the same cause, at the first one's place.
 */
export class GapLog {
  readonly #writer: TakeRecordWriter;
  readonly #onChange: (gaps: Gap[]) => void;

  /** @param onChange receives all gaps so far after every new gap */
  constructor(writer: TakeRecordWriter, onChange: (gaps: Gap[]) => void) {
    this.#writer = writer;
    this.#onChange = onChange;
  }

  get all(): Gap[] {
    return this.#writer.record.gaps;
  }

  /** Adds a gap in whole milliseconds. If saving fails, the next change saves it. */
  add(gap: Gap): void {
    const last = this.all.at(-1);
    const gaps =
      last !== undefined &&
      (isContinued(last, gap) || (last.cause === gap.cause && this.all.length >= maxGaps))
        ? [...this.all.slice(0, -1), mergedGap(last, gap)]
        : [...this.all, gap];
    void this.#writer.change({ gaps }).catch(() => undefined);
    this.#onChange(gaps);
  }
}

/** Whether a gap is of the same kind as the last one and starts where it ends. */
const isContinued = (last: Gap, gap: Gap): boolean =>
  last.cause === gap.cause &&
  (last.cutMs === undefined) === (gap.cutMs === undefined) &&
  last.atMs + last.durationMs === gap.atMs;

const mergedGap = (last: Gap, gap: Gap): Gap => ({
  ...last,
  durationMs: last.durationMs + gap.durationMs,
  ...((last.cutMs !== undefined || gap.cutMs !== undefined) && {
    cutMs: (last.cutMs ?? 0) + (gap.cutMs ?? 0),
  }),
});

/**
 * The pauses of a take: their positions and real lengths, although they take no time in the sound. A pause of
 * length 0 has not ended: a take recovered like that was paused when its page died.
 */
export class PauseLog {
  readonly #writer: TakeRecordWriter;
  #open: { atMs: number; sinceMs: number } | null = null;

  constructor(writer: TakeRecordWriter) {
    this.#writer = writer;
  }

  /** Starts a pause at this position of the recording. */
  async start(atMs: number): Promise<void> {
    if (this.#open !== null) return;
    this.#open = { atMs, sinceMs: Date.now() };
    await this.#writer.change({ pauses: [...this.#writer.record.pauses, { atMs, durationMs: 0 }] });
  }

  /** Ends the pause, if there is one. */
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
