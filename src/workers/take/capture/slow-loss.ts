import { forgottenPerMs, minLateness, marginFactor, maxDriftPerMs } from '#workers/take/lateness.ts';

/**
 * Blocks of this time are judged together, because single ones arrive late without being lost. All blocks of a short
 * window may be a few milliseconds late by chance, so a loss of so little is judged by a longer one.
 */
const windows = { shortMs: 400, longMs: 900, fromMs: 40 } as const;
/** The first blocks wait in their port until the worker listens. */
const beginningMs = 300;
/** A window without this many blocks says nothing. */
const minBlocks = 8;
/** After a longer time without a block all of them come late at first. */
const stalledMs = 130;
/**
 * A stall too short to be told from jitter may lie between two stretches of blocks that are late by chance, so all of a
 * window may be late if stretches of these lengths are. Of a long window, that is a short one.
 */
const stretchMs = (windows.shortMs - stalledMs) / 2;
/** Sound is lost if all blocks of a window are later than before by at least this. */
const noticeableMs = 10;
/** The least lateness of a window may vary by less than this without any cause. */
const varianceMs = 4;
/** The variation of the first windows has to be known before a loss can be told from it. */
const learningMs = 1200;

interface Arrival {
  atMs: number;
  latenessMs: number;
}

/**
 * Notices sound that is lost in pieces of a few milliseconds, without a hole in the count of frames. Blocks arrive with
 * a varying delay, but the least delay of a window stays the same, except for the drift of the sound card. After a loss
 * it is higher for good. A loss is noticed within half a second.
 */
export class SlowLoss {
  #recent: Arrival[] = [];
  /** When the first block after a stall arrived. */
  #sinceMs = 0;
  /** The least lateness of a window in which nothing was lost; null before the first window. */
  #expectedMs: number | null = null;
  #firstMs: number | null = null;
  #knownSinceMs = 0;
  #lastMs = 0;
  /** Lost sound that was returned. So much of it may prove to be late and not lost. */
  #returnedMs = 0;
  /** How the least lateness of stretches varies, which a loss in a short window has to exceed. */
  readonly #ofStretches = new Variation();
  /** The same of short windows, for a loss in a long one. */
  readonly #ofWindows = new Variation();

  /**
   * Adds a block. Returns how much sound was lost shortly before it, in milliseconds; 0 if none.
   * @param latenessMs arrival minus the end of the block in the sound, all returned losses included
   */
  push(atMs: number, latenessMs: number): number {
    this.#firstMs ??= atMs;
    if (atMs - this.#firstMs < beginningMs) return 0;
    const stepMs = Math.max(0, atMs - this.#lastMs);
    this.#lastMs = atMs;
    if (stepMs > stalledMs) this.restart();
    if (this.#recent.length === 0) this.#sinceMs = atMs;
    this.#recent.push({ atMs, latenessMs });
    while ((this.#recent[0]?.atMs ?? atMs) <= atMs - windows.longMs) this.#recent.shift();
    const short = this.#last(windows.shortMs);
    if (!this.#isFull(short, windows.shortMs)) return 0;
    this.#follow(minLateness(short), stepMs);
    return (
      this.#lossIn(short, Math.max(windows.fromMs, this.#ofStretches.marginMs)) ||
      (this.#isFull(this.#recent, windows.longMs) ? this.#lossIn(this.#recent, noticeableMs) : 0)
    );
  }

  /** Forgets the blocks that arrived, because a loss was found in another way. */
  restart(): void {
    this.#recent = [];
  }

  #last(lengthMs: number): Arrival[] {
    return this.#recent.slice(this.#recent.findIndex(({ atMs }) => atMs > this.#lastMs - lengthMs));
  }

  /** Whether blocks have arrived during all of a window. */
  #isFull(window: readonly Arrival[], lengthMs: number): boolean {
    return window.length >= minBlocks && this.#lastMs - this.#sinceMs >= lengthMs;
  }

  #follow(minMs: number, stepMs: number): void {
    if (this.#expectedMs === null) this.#knownSinceMs = this.#lastMs;
    const before = this.#expectedMs ?? minMs;
    const riseMs = minMs - before;
    this.#expectedMs = followed(before, minMs, {
      driftMs: stepMs * maxDriftPerMs,
      disprovableMs: this.#returnedMs,
    });
    this.#ofWindows.follow(riseMs, stepMs);
    this.#ofStretches.follow(minLateness(this.#last(stretchMs)) - before, stepMs);
  }

  /** The loss that all blocks of a window show, if it is at least `fromMs`. */
  #lossIn(window: readonly Arrival[], fromMs: number): number {
    const isLearning = this.#lastMs - this.#knownSinceMs < learningMs;
    if (isLearning || this.#expectedMs === null) return 0;
    const lostMs = minLateness(window) - this.#expectedMs;
    if (lostMs < Math.max(fromMs, this.#ofWindows.marginMs) || isCatchingUp(window)) return 0;
    this.#returnedMs += lostMs;
    this.#ofStretches.explain();
    this.#ofWindows.explain();
    this.#recent = this.#recent.map(({ atMs, latenessMs }) => ({ atMs, latenessMs: latenessMs - lostMs }));
    return lostMs;
  }
}

/** How the least lateness of stretches of one length varies without a loss. */
class Variation {
  /** By how much it rose since it was last as expected. */
  #risenMs = 0;
  /** By how much it rose before it fell again. */
  #varianceMs = 0;

  /** A loss is at least this. */
  get marginMs(): number {
    return this.#varianceMs * marginFactor;
  }

  follow(riseMs: number, stepMs: number): void {
    this.#varianceMs *= 1 - Math.min(1, stepMs * forgottenPerMs);
    if (riseMs > varianceMs) this.#risenMs = Math.max(this.#risenMs, riseMs);
    else {
      // A drop below what is expected means that a loss was none.
      this.#varianceMs = Math.max(this.#varianceMs, this.#risenMs, -riseMs);
      this.#risenMs = 0;
    }
  }

  /** A loss was the reason for the rise. */
  explain(): void {
    this.#risenMs = 0;
  }
}

/** Blocks after a stall become less late from one to the next. */
function isCatchingUp(window: readonly Arrival[]): boolean {
  const middle = Math.floor(window.length / 2);
  return minLateness(window.slice(middle)) < minLateness(window.slice(0, middle)) - varianceMs;
}

/**
 * The expected lateness after a window. It rises with the drift of a slow card only. It falls at once, but no faster
 * than drift as far as returned losses can be the reason: these are then less than the next ones.
 */
function followed(
  expectedMs: number,
  minMs: number,
  { driftMs, disprovableMs }: { driftMs: number; disprovableMs: number },
): number {
  if (minMs >= expectedMs) return Math.min(minMs, expectedMs + driftMs);
  const disprovedMs = Math.min(expectedMs - minMs, disprovableMs);
  return minMs + Math.max(0, disprovedMs - driftMs);
}
