import { countBefore } from './count-before.ts';
import { gapAt, isJustBehind, noticedGapMs, skipAt, type Gap, type Skip } from './gaps.ts';
import type { SoundSelection } from './playback-state.ts';

/** The playback position, and the duration of the recording. */
export interface SkipPlace {
  atMs: number;
  durationMs: number;
}

/** What playback does at a position; null means that it continues. */
export type Step = { toMs: number } | 'pause' | null;

/**
 * The position that is read lags behind the audio by about this much. Without it, playback would overshoot the end
 * of a loop.
 */
const loopAheadMs = 8;

/** The stored choice whether playback skips gaps; otherwise it plays them as silence. */
interface GapChoice {
  read(): boolean;
  write(skipsGaps: boolean): void;
}

/** Decides during playback what is skipped, where a loop restarts and where playback pauses. */
export class PlaybackRules {
  #gaps: readonly Gap[] = [];
  #silences: readonly SoundSelection[] = [];
  readonly #choice: GapChoice;
  #skipsGaps: boolean;
  #stopAtMs: number | null = null;
  #loop: SoundSelection | null = null;
  /** False after the user has sought beyond the end of the loop. */
  #isInLoop = true;
  /** The last skip over a gap. Cleared when playback has moved on for a few seconds, or by a seek. */
  #skipped: Skip | null = null;

  constructor(choice: GapChoice) {
    this.#choice = choice;
    this.#skipsGaps = choice.read();
  }

  /** Resets the rules for another recording. */
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
    this.#choice.write(skipsGaps);
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

  /** Handles a seek by the user. */
  moved(toMs: number): void {
    this.#stopAtMs = null;
    this.#skipped = null;
    this.#isInLoop = this.#loop === null || toMs < this.#loop.toMs;
  }

  /**
   * Where a loop restarts when the loaded audio ended at `atMs` (Infinity at the end of the track); null if no
   * loop ends there.
   */
  afterEnd(atMs: number): number | null {
    return this.#loop && this.#isInLoop && this.#loop.toMs - loopAheadMs <= atMs ? this.#loop.fromMs : null;
  }

  /** The step to perform at a position during playback. */
  step(at: SkipPlace): Step {
    if (this.#stopAtMs !== null && at.atMs >= this.#stopAtMs) {
      this.#stopAtMs = null;
      return 'pause';
    }
    if (this.#loop && this.#isInLoop && at.atMs >= this.#loop.toMs - loopAheadMs)
      return { toMs: this.#loop.fromMs };
    return this.#skipGap(at) ?? this.#skipSilence(at);
  }

  /** Whether a step is due at a position. Changes no state. */
  isDue({ atMs, durationMs }: SkipPlace): boolean {
    if (this.#stopAtMs !== null && atMs >= this.#stopAtMs) return true;
    if (this.#loop && this.#isInLoop && atMs >= this.#loop.toMs - loopAheadMs) return true;
    return (
      rangeAt(this.#silences, atMs) !== null ||
      (this.#skipsGaps && skipAt(this.#gaps, { fromMs: atMs, durationMs }) !== null)
    );
  }

  /** The gap at a position, and the gap that was skipped shortly before it. */
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
    // A gap inside the silence is still announced.
    const gap = this.#gaps.find(
      (one) => one.durationMs >= noticedGapMs && one.atMs >= atMs && one.atMs < toMs,
    );
    if (gap) this.#skipped = { gap, fromMs: atMs, toMs };
    return { toMs };
  }
}

/**
 * Playback does not skip this close to the end of a range, because a seek may land this much before its target.
 */
const seekToleranceMs = 20;

/** The range that contains a moment; null if there is none. Ranges must be sorted and must not overlap. */
function rangeAt(ranges: readonly SoundSelection[], atMs: number): SoundSelection | null {
  const found = ranges[countBefore(ranges, ({ toMs }) => toMs - seekToleranceMs > atMs)];
  return found !== undefined && atMs >= found.fromMs ? found : null;
}
