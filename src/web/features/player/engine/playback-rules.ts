import { countBefore } from '#web/features/player/time-order.ts';
import { gapAt, isJustBehind, noticedGapMs, skipAt, type Gap, type Skip } from './gaps.ts';
import type { SoundSelection } from './selection.ts';

/** Where the sound is, in a recording of that length. */
export interface SkipPlace {
  atMs: number;
  durationMs: number;
}

/** What is to be done where the sound has come to; null: let it run. */
export type Step = { toMs: number } | 'pause' | null;

/**
 * Reading a position lags behind the sound by about this much: a loop that ended later would be heard beyond
 * its end.
 */
const loopAheadMs = 8;

/** Which way the sound takes through a recording: what it jumps over, where it turns back, where it stops. */
export class PlaybackRules {
  #gaps: readonly Gap[] = [];
  #silences: readonly SoundSelection[] = [];
  #skipsGaps: boolean;
  #stopAtMs: number | null = null;
  #loop: SoundSelection | null = null;
  /** Off once somebody went beyond the loop on purpose. */
  #isInLoop = true;
  /** The last jump over a gap, until the sound has run on for a while or was taken elsewhere. */
  #skipped: Skip | null = null;

  constructor(skipsGaps: boolean) {
    this.#skipsGaps = skipsGaps;
  }

  /** Another recording. */
  start(): void {
    this.#stopAtMs = null;
    this.#skipped = null;
    this.#silences = [];
    this.#loop = null;
  }

  setGaps(gaps: readonly Gap[]): void {
    this.#gaps = gaps;
  }

  setSkipsGaps(skipsGaps: boolean): void {
    this.#skipsGaps = skipsGaps;
  }

  setSilences(silences: readonly SoundSelection[]): void {
    this.#silences = silences;
  }

  setLoop(loop: SoundSelection | null): void {
    this.#loop = loop;
    this.#isInLoop = true;
  }

  setStop(atMs: number | null): void {
    this.#stopAtMs = atMs;
  }

  /** Somebody took the sound to another place. */
  moved(toMs: number): void {
    this.#stopAtMs = null;
    this.#skipped = null;
    this.#isInLoop = this.#loop === null || toMs < this.#loop.toMs;
  }

  /**
   * Where a loop goes on when what was loaded ended at `atMs`, Infinity at the end of the track; null where
   * no loop ends there.
   */
  afterEnd(atMs: number): number | null {
    return this.#loop && this.#isInLoop && this.#loop.toMs - loopAheadMs <= atMs ? this.#loop.fromMs : null;
  }

  /** What running sound has to do at a place. */
  step(at: SkipPlace): Step {
    if (this.#stopAtMs !== null && at.atMs >= this.#stopAtMs) {
      this.#stopAtMs = null;
      return 'pause';
    }
    if (this.#loop && this.#isInLoop && at.atMs >= this.#loop.toMs - loopAheadMs)
      return { toMs: this.#loop.fromMs };
    return this.#skipGap(at) ?? this.#skipSilence(at);
  }

  /** Whether running sound has something to do at a place; changes nothing. */
  isDue({ atMs, durationMs }: SkipPlace): boolean {
    if (this.#stopAtMs !== null && atMs >= this.#stopAtMs) return true;
    if (this.#loop && this.#isInLoop && atMs >= this.#loop.toMs - loopAheadMs) return true;
    return (
      rangeAt(this.#silences, atMs) !== null ||
      (this.#skipsGaps && skipAt(this.#gaps, { fromMs: atMs, durationMs }) !== null)
    );
  }

  /** What is missing at a place, and what was jumped over a moment ago. */
  facts(atMs: number): { gap: Gap | null; skippedGap: Gap | null; skipsGaps: boolean } {
    if (this.#skipped && !isJustBehind(this.#skipped, atMs)) this.#skipped = null;
    return {
      gap: gapAt(this.#gaps, atMs),
      skippedGap: this.#skipped?.gap ?? null,
      skipsGaps: this.#skipsGaps,
    };
  }

  #skipGap({ atMs, durationMs }: SkipPlace): Step {
    const skip = this.#skipsGaps ? skipAt(this.#gaps, { fromMs: atMs, durationMs }) : null;
    if (skip) this.#skipped = skip;
    return skip;
  }

  #skipSilence({ atMs, durationMs }: SkipPlace): Step {
    const silence = rangeAt(this.#silences, atMs);
    if (!silence) return null;
    const toMs = Math.min(silence.toMs, durationMs);
    // A gap that lies in the silence is told all the same.
    const gap = this.#gaps.find(
      (one) => one.durationMs >= noticedGapMs && one.atMs >= atMs && one.atMs < toMs,
    );
    if (gap) this.#skipped = { gap, fromMs: atMs, toMs };
    return { toMs };
  }
}

/** No skip starts this close to the end of a range: a seek may land that much before its target. */
const seekToleranceMs = 20;

/** The range that contains a moment, of sorted ranges that do not overlap; null where none does. */
function rangeAt(ranges: readonly SoundSelection[], atMs: number): SoundSelection | null {
  const found = ranges[countBefore(ranges, ({ toMs }) => toMs - seekToleranceMs > atMs)];
  return found !== undefined && atMs >= found.fromMs ? found : null;
}
