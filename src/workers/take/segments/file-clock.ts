import { GrowingMp4Time } from '#audio/containers/growing-mp4-time.ts';
import { GrowingWebmTime } from '#audio/containers/webm-length.ts';
import { GrowingOggTime } from '#audio/ogg/growing-ogg-time.ts';
import { second } from '#base/duration.ts';
import type { TakeSegment } from '#device/takes/take-record.ts';

/** Sound card clocks are off by a few hundred ppm, at most this. */
const driftPerMs = 0.001;
/** Pieces of this time are compared together, because an encoder gives them back late, but nothing is lost. */
const windowMs = 2 * second;
/** A smaller growth is within the accuracy of encoders and of the delivery of pieces. */
const noticeableMs = 100;
/** A file of a few pieces shows less surely where they end. */
const noticeableInShortMs = 300;
const minComparisons = 4;
/** A recorder pauses and resumes a little later than it was told. */
const pauseMs = 50;

interface Comparison {
  atMs: number;
  /** Time since the first piece without pauses, minus the file's own time. */
  latenessMs: number;
}

const leastLateness = (compared: readonly Comparison[]): number =>
  compared.reduce((least, { latenessMs }) => Math.min(least, latenessMs), Infinity);

const readers = { ogg: GrowingOggTime, webm: GrowingWebmTime, mp4: GrowingMp4Time };

/**
 * Compares the file that a browser's recorder writes with the clock, at every piece. The file falls behind for good
 * where the browser lost sound, because recorders count samples.
 */
export class FileClock {
  readonly #time: { push: (piece: Uint8Array) => void; readonly endMs: number | null };
  /** The comparisons of the first window, and of the last one. */
  #first: Comparison[] = [];
  #last: Comparison[] = [];
  #pauses = 0;

  constructor(container: TakeSegment['container']) {
    this.#time = new readers[container]();
  }

  /** How long the file is by its own times; null if it says nothing. */
  get endMs(): number | null {
    return this.#time.endMs;
  }

  /** @param elapsedMs since the first piece, without pauses */
  push(piece: Uint8Array, elapsedMs: number): void {
    const beforeMs = this.#time.endMs;
    this.#time.push(piece);
    const { endMs } = this.#time;
    // A piece without a new time says nothing: WebM and MP4 give back several seconds at once.
    if (endMs === null || endMs === beforeMs) return;
    const compared = { atMs: elapsedMs, latenessMs: elapsedMs - endMs };
    const startMs = this.#first[0]?.atMs ?? elapsedMs;
    if (elapsedMs - startMs <= windowMs) this.#first.push(compared);
    else this.#last = [...this.#last.filter(({ atMs }) => atMs > elapsedMs - windowMs), compared];
  }

  paused(): void {
    this.#pauses += 1;
  }

  /** How much sound the file lacks, in whole milliseconds; 0 if none, or if too few pieces came to tell. */
  get lostMs(): number {
    const isShort = this.#last.length < minComparisons;
    const [before = [], after = []] = isShort ? inHalves(this.#first) : [this.#first, this.#last];
    if (before.length < minComparisons || after.length < minComparisons) return 0;
    const betweenMs = (after.at(-1)?.atMs ?? 0) - (before[0]?.atMs ?? 0);
    const grownMs = leastLateness(after) - leastLateness(before);
    const toleratedMs =
      (isShort ? noticeableInShortMs : noticeableMs) + pauseMs * this.#pauses + betweenMs * driftPerMs;
    return grownMs >= toleratedMs ? Math.round(grownMs) : 0;
  }
}

const inHalves = (compared: readonly Comparison[]): Comparison[][] => {
  const middle = Math.floor(compared.length / 2);
  return [compared.slice(0, middle), compared.slice(middle)];
};
