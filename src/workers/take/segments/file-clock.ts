import { second } from '#base/duration.ts';
import type { TakeSegment } from '#device/records/take-record.ts';
import { forgottenPerMs, minLateness, marginFactor, maxDriftPerMs } from '#workers/take/lateness.ts';
import { FileTime } from './file-time.ts';

/** A loss is confirmed by the pieces of this time and this number, because single pieces arrive late. */
const window = { lengthMs: 2 * second, minPieces: 4 } as const;
/** The place of a loss is looked for in the pieces of this time. */
const historyMs = 15 * second;
/** A smaller growth is within the accuracy of encoders and of the delivery of pieces. */
const noticeableMs = 60;
/** Places where less was lost are not told apart. */
const minStepMs = 40;
/** A file shorter than a window shows less surely where its pieces end. */
const noticeableInShortMs = 300;
/** An encoder may not give back its last packets. */
const noticeableAtEndMs = 150;
/** All pieces of a window are rarely later than this part of how much they vary. */
const spreadFactor = 0.75;
/** The least lateness of a window may vary by less than this without any cause. */
const varianceMs = 20;
/** How late the first pieces of an encoder are after the recorder was started. */
const startDelayMs = 150;
/** Sound is lost before the first piece if it is later by at least this. */
const noticeableAtStartMs = 450;
/** A recorder pauses and resumes a little later than it was told. */
const pauseMs = 50;

/** A piece that ended at a new time of the file. */
interface Comparison {
  atMs: number;
  /** End of the file by its own times. */
  endMs: number;
  /** Time since the first piece without pauses, minus the file's own time. */
  latenessMs: number;
}

/** Sound that a file lacks, in whole milliseconds of its own time. */
export interface FileLoss {
  atMs: number;
  lostMs: number;
}

/** How much the lateness of pieces varies. */
const spreadOf = (compared: readonly Comparison[]): number =>
  compared.reduce((max, { latenessMs }) => Math.max(max, latenessMs), -Infinity) - minLateness(compared);

/**
 * Compares the file that a browser's recorder writes with the clock, at every piece. Recorders count samples, so the
 * file falls behind for good where the browser lost sound. The least lateness of a window of pieces shows how much, and
 * the piece from which on all are late shows where. Only growth counts, so the delay of an encoder is no loss.
 */
export class FileClock {
  readonly #time: FileTime;
  #history: Comparison[] = [];
  /** The lateness of a piece that was not delayed, losses included; null before the first one. */
  #expectedMs: number | null = null;
  #lostMs = 0;
  #varianceMs = 0;
  /** By how much pauses may have moved the recorder's time. */
  #pausesMs = 0;
  #isLong = false;
  #startedAtMs: number | null = null;
  #losses: FileLoss[] = [];

  constructor(container: TakeSegment['container']) {
    this.#time = new FileTime(container);
  }

  /** How long the file is by its own times; null if it says nothing. */
  get endMs(): number | null {
    return this.#time.endMs;
  }

  /** Whether it has more than a header. */
  get hasSound(): boolean {
    return this.#time.hasSound;
  }

  /** How much sound the file is known to lack. */
  get lostMs(): number {
    return this.#lostMs;
  }

  /** How much sound the file had when its first piece was delivered, beyond what the clock assumes. */
  get aheadMs(): number {
    return Math.max(0, this.#lostMs - (this.#expectedMs ?? 0));
  }

  /** The losses found since the last call, in order of time. */
  takeLosses(): FileLoss[] {
    return this.#losses.splice(0);
  }

  /** @param elapsedMs since the first piece, without pauses */
  push(piece: Uint8Array, elapsedMs: number): void {
    const beforeMs = this.#time.endMs;
    this.#time.push(piece);
    const { endMs } = this.#time;
    // A piece without a new time says nothing: some browsers give back several pieces at once.
    if (endMs === null || endMs === beforeMs) return;
    const stepMs = Math.max(0, elapsedMs - (this.#history.at(-1)?.atMs ?? elapsedMs));
    this.#history.push({ atMs: elapsedMs, endMs, latenessMs: elapsedMs - endMs });
    while ((this.#history[0]?.atMs ?? elapsedMs) < elapsedMs - historyMs) this.#history.shift();
    const expectedMs = (this.#expectedMs ??= elapsedMs - endMs);
    // Before the first loss, no later piece can be less late than one that was not delayed.
    if (this.#lostMs === 0) this.#expectedMs = Math.min(expectedMs, elapsedMs - endMs);
    const recent = this.#window();
    if (recent !== null) this.#judge(recent, stepMs);
  }

  /** @param elapsedMs when the recorder was started, on the clock of `push` */
  started(elapsedMs: number): void {
    this.#startedAtMs = elapsedMs;
  }

  paused(): void {
    // A file that was paused before its first window says nothing about its start.
    if (!this.#isLong) this.#startedAtMs = null;
    this.#pausesMs += pauseMs;
    this.#history = [];
  }

  /**
   * Ends the comparison. Returns how much sound is missing after the file; what is missing in it is among the losses.
   * @param endedAtMs when the recorder was stopped, since the first piece and without pauses; null if not known
   */
  finish(endedAtMs: number | null): number {
    if (!this.#isLong) this.#judgeShort();
    const { endMs } = this.#time;
    if (endMs === null || endedAtMs === null || this.#expectedMs === null) return 0;
    const missingMs = endedAtMs - endMs - this.#expectedMs;
    if (missingMs < Math.max(noticeableAtEndMs, this.#limitMs) + this.#pausesMs) return 0;
    this.#history.push({ atMs: endedAtMs, endMs, latenessMs: endedAtMs - endMs });
    this.#lose(missingMs, this.#history.length - 1);
    const last = this.#losses.at(-1);
    if (last === undefined || last.atMs < endMs) return 0;
    this.#losses.pop();
    this.#lostMs -= last.lostMs;
    return last.lostMs;
  }

  get #limitMs(): number {
    return Math.max(noticeableMs, this.#varianceMs * marginFactor);
  }

  /** The last pieces that make a window; null if there are too few. */
  #window(): Comparison[] | null {
    const untilMs = this.#history.at(-1)?.atMs ?? 0;
    const from = this.#history.findLastIndex(
      ({ atMs }, index) =>
        atMs <= untilMs - window.lengthMs && this.#history.length - index >= window.minPieces,
    );
    return from === -1 ? null : this.#history.slice(from);
  }

  #judge(recent: readonly Comparison[], stepMs: number): void {
    const minMs = minLateness(recent);
    if (!this.#isLong) this.#judgeStart(minMs);
    this.#isLong = true;
    this.#varianceMs *= 1 - Math.min(1, stepMs * forgottenPerMs);
    const expectedMs = this.#expectedMs ?? minMs;
    const growthMs = minMs - expectedMs;
    // A fall means that a loss was none: the next one is less by it.
    if (growthMs < -varianceMs) this.#varianceMs = Math.max(this.#varianceMs, -growthMs);
    const driftMs = stepMs * maxDriftPerMs;
    this.#expectedMs = expectedMs + Math.min(driftMs, Math.max(-driftMs, growthMs));
    // The least of pieces that vary much is itself less certain.
    const limitMs = Math.max(this.#limitMs, spreadOf(recent) * spreadFactor);
    const byPausesMs = Math.min(this.#pausesMs, Math.max(0, growthMs));
    if (byPausesMs > 0 && growthMs < limitMs + this.#pausesMs) {
      this.#expectedMs += byPausesMs;
      this.#pausesMs -= byPausesMs;
    } else if (growthMs >= limitMs) this.#lose(growthMs, this.#history.length - recent.length);
  }

  /**
   * What was lost before the first piece, or in it: its time is late, compared with the start of the recorder, for
   * good. The expected lateness contains it.
   */
  #judgeStart(minMs: number): void {
    if (this.#startedAtMs === null) return;
    const lostMs = Math.round(minMs - this.#startedAtMs - startDelayMs);
    if (lostMs < noticeableAtStartMs) return;
    this.#lostMs += lostMs;
    this.#losses.push({ atMs: Math.round((this.#history[0]?.endMs ?? 0) / 2), lostMs });
  }

  /** A file shorter than a window is judged by its halves. */
  #judgeShort(): void {
    if (this.#history.length > 0) this.#judgeStart(minLateness(this.#history));
    const middle = Math.floor(this.#history.length / 2);
    const [before, after] = [this.#history.slice(0, middle), this.#history.slice(middle)];
    if (before.length < window.minPieces) return;
    const growthMs = minLateness(after) - minLateness(before);
    if (growthMs >= noticeableInShortMs + this.#pausesMs) this.#lose(growthMs, middle);
  }

  /**
   * Adds a loss that the pieces up to this one show. It is placed where the lateness rose for good: no later piece is
   * less late. Losses at several places stay apart.
   */
  #lose(lostMs: number, until: number): void {
    const rises = risesForGood(this.#history, until, { fromMs: this.#expectedMs ?? 0, lostMs });
    this.#expectedMs = (this.#expectedMs ?? 0) + lostMs;
    let leftMs = Math.round(lostMs);
    rises.forEach(({ atMs, riseMs }, index) => {
      const roundedMs = index === rises.length - 1 ? leftMs : Math.round(riseMs);
      leftMs -= roundedMs;
      this.#lostMs += roundedMs;
      this.#losses.push({ atMs, lostMs: roundedMs });
    });
  }
}

interface Rise {
  atMs: number;
  riseMs: number;
}

/** Where the lateness rose for good, from `fromMs` by `lostMs` in total until this piece; at least one place. */
function risesForGood(
  history: readonly Comparison[],
  until: number,
  { fromMs, lostMs }: { fromMs: number; lostMs: number },
): Rise[] {
  const rises: Rise[] = [];
  let levelMs = fromMs;
  for (let index = 0; index <= until; index += 1) {
    const piece = history[index];
    if (piece === undefined) continue;
    const laterMs = index === until ? fromMs + lostMs : minLateness(history.slice(index, until + 1));
    const riseMs = Math.min(laterMs, fromMs + lostMs) - levelMs;
    if (riseMs < (index === until ? 1 : minStepMs)) continue;
    // The sound was lost after the piece before this one.
    rises.push({ atMs: Math.round(((history[index - 1]?.endMs ?? piece.endMs) + piece.endMs) / 2), riseMs });
    levelMs += riseMs;
  }
  return rises;
}
