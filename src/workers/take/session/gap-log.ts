import type { Gap } from '#contract/recordings.ts';
import type { TakeRecordWriter } from './take-record-writer.ts';

/** The gaps of a take, in the order of time; those that touch and have one cause are one. */
export class GapLog {
  readonly #kept: TakeRecordWriter;
  readonly #tell: (gaps: Gap[]) => void;

  /** @param tell is given all gaps so far whenever one was named */
  constructor(kept: TakeRecordWriter, tell: (gaps: Gap[]) => void) {
    this.#kept = kept;
    this.#tell = tell;
  }

  get all(): Gap[] {
    return this.#kept.record.gaps;
  }

  /** Names a gap; whole milliseconds. A record that cannot be saved now is saved with the next change. */
  add(gap: Gap): void {
    const last = this.all.at(-1);
    const isSame = last !== undefined && last.cause === gap.cause && last.atMs + last.durationMs === gap.atMs;
    const gaps = isSame
      ? [...this.all.slice(0, -1), { ...last, durationMs: last.durationMs + gap.durationMs }]
      : [...this.all, gap];
    void this.#kept.change({ gaps }).catch(() => undefined);
    this.#tell(gaps);
  }
}
