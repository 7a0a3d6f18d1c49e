import { minLateness, maxDriftPerMs } from '#workers/take/lateness.ts';
import { SlowLoss } from './slow-loss.ts';

// When sound was captured: `CaptureClock` numbers the frames of a track, and `FrameClock` gives numbered frames a
// time.

/** Sound that is behind the clock by more than this is late or lost; the next blocks decide which. */
const suspiciousMs = 250;
/** Missing sound counts as lost if nothing was caught up during this time. */
const settledAfterMs = 400;
/** The same for the first blocks, which wait in their port until the worker listens. */
const startedAfterMs = 100;
/**
 * If blocks have not slowed to the pace of the clock after this much sound, a program delivers them, not a
 * microphone.
 */
const maxBeginningMs = 1000;
const falseStartMs = 100;
const catchingUpMs = 10;
/** A block of sound with the worklet's count: the number of its first frame and its number of frames. */
export interface CountedBlock {
  frame: number;
  frames: number;
}

/** A block with a known position in time. */
export interface PlacedBlock<B> {
  block: B;
  /** Sound missing directly before the block, in milliseconds. */
  lostMs: number;
  /** When the first sample was captured, in milliseconds of the arrival clock. */
  beganAtMs: number;
}

interface HeldBlock<B> {
  block: B;
  lostMs: number;
  durationMs: number;
  /** Where the block ends in the sound, including losses. */
  endsAtMs: number;
  /** Arrival minus `endsAtMs`. Only differences are meaningful. */
  latenessMs: number;
}

/**
 * Compares the clock with counted frames, because no event reports that the computer slept. A busy machine
 * delivers all sound late, in a burst; lost sound never arrives. So when sound falls behind, blocks are held until
 * they arrive at the pace of the clock again; sound still missing then is lost. A hole in the worklet's count is
 * reported as a loss immediately, and smaller losses without one as `SlowLoss` notices them.
 */
export class FrameClock<B extends CountedBlock> {
  readonly #msPerFrame: number;
  #nextFrame: number | null = null;
  #endsAtMs = 0;
  /** Lateness of a block that was not delayed. */
  #baselineLatenessMs = Infinity;
  #held: HeldBlock<B>[] = [];
  #pace: { latenessMs: number; sinceMs: number } | null = null;
  readonly #slowLoss: SlowLoss | null;

  /** @param options.findsSmallLosses false if the frames were numbered by their capture time, which finds small losses exactly */
  constructor(sampleRateHz: number, { findsSmallLosses = true } = {}) {
    this.#msPerFrame = 1000 / sampleRateHz;
    this.#slowLoss = findsSmallLosses ? new SlowLoss() : null;
  }

  /**
   * Adds a block that arrived at `nowMs`. Returns the blocks, of this call or held before, whose positions are now
   * known.
   */
  push(block: B, nowMs: number): PlacedBlock<B>[] {
    this.#dropFalseStart(block);
    this.#held.push(this.#count(block, nowMs));
    const isOnTime = (this.#held.at(-1)?.latenessMs ?? 0) <= this.#baselineLatenessMs + suspiciousMs;
    if (isOnTime && this.#baselineLatenessMs < Infinity) return this.#passOnTime();
    if (!this.#watch(nowMs)) return [];
    this.#slowLoss?.restart();
    return this.#judge();
  }

  /** Releases the held blocks as they are, because no more will arrive. */
  release(): PlacedBlock<B>[] {
    const released: PlacedBlock<B>[] = [];
    while (this.#held.length > 0) released.push(...this.#judge());
    return released;
  }

  /** A source that is being opened delivers a snippet, is silent for some frames, and then really starts. */
  #dropFalseStart({ frame }: B): void {
    const isBeginning = this.#baselineLatenessMs === Infinity && this.#endsAtMs < falseStartMs;
    if (!isBeginning || this.#nextFrame === null || frame <= this.#nextFrame) return;
    this.#held = [];
    this.#endsAtMs = 0;
    this.#pace = null;
    this.#nextFrame = frame;
  }

  #count(block: B, nowMs: number): HeldBlock<B> {
    const holeMs = Math.max(0, block.frame - (this.#nextFrame ?? block.frame)) * this.#msPerFrame;
    const durationMs = block.frames * this.#msPerFrame;
    this.#nextFrame = block.frame + block.frames;
    this.#endsAtMs += holeMs + durationMs;
    return {
      block,
      lostMs: holeMs,
      durationMs,
      endsAtMs: this.#endsAtMs,
      latenessMs: nowMs - this.#endsAtMs,
    };
  }

  /** True once blocks no longer catch up but arrive at the pace of the clock. */
  #watch(nowMs: number): boolean {
    const { latenessMs = 0, endsAtMs = 0 } = this.#held.at(-1) ?? {};
    if (this.#pace === null || !isAtPace(latenessMs, this.#pace.latenessMs)) {
      this.#pace = { latenessMs, sinceMs: nowMs };
    }
    if (this.#baselineLatenessMs < Infinity) return nowMs - this.#pace.sinceMs >= settledAfterMs;
    return nowMs - this.#pace.sinceMs >= startedAfterMs || endsAtMs > maxBeginningMs;
  }

  /** Puts a small loss before the first block that is known to be after it. */
  #passOnTime(): PlacedBlock<B>[] {
    let shiftMs = 0;
    this.#held = this.#held.map((held) => {
      const arrivedAtMs = held.endsAtMs + held.latenessMs;
      const lostMs = this.#slowLoss?.push(arrivedAtMs, held.latenessMs - shiftMs) ?? 0;
      shiftMs += lostMs;
      return {
        ...held,
        lostMs: held.lostMs + lostMs,
        endsAtMs: held.endsAtMs + shiftMs,
        latenessMs: held.latenessMs - shiftMs,
      };
    });
    this.#endsAtMs += shiftMs;
    return this.#passAll();
  }

  #passAll(): PlacedBlock<B>[] {
    this.#pace = null;
    return this.#held.splice(0).map((held) => this.#pass(held));
  }

  #pass({ block, lostMs, durationMs, endsAtMs, latenessMs }: HeldBlock<B>): PlacedBlock<B> {
    this.#baselineLatenessMs = Math.min(latenessMs, this.#baselineLatenessMs + durationMs * maxDriftPerMs);
    return { block, lostMs, beganAtMs: endsAtMs - durationMs + this.#baselineLatenessMs };
  }

  /** Decides how much sound is lost and where, and passes on the blocks before the next suspicious one. */
  #judge(): PlacedBlock<B>[] {
    const minMs = minLateness(this.#held);
    this.#pace = null;
    if (this.#baselineLatenessMs === Infinity) this.#baselineLatenessMs = minMs;
    const lostMs = minMs - this.#baselineLatenessMs;
    if (lostMs > suspiciousMs) this.#place(lostMs, minMs);
    const nextDoubt = this.#held.findIndex(
      ({ latenessMs }, index) => index > 0 && latenessMs > this.#baselineLatenessMs + suspiciousMs,
    );
    return this.#held
      .splice(0, nextDoubt === -1 ? this.#held.length : nextDoubt)
      .map((held) => this.#pass(held));
  }

  /**
   * Puts the loss before the first block that, at the final pace, was not yet due when the first held block arrived.
   * Blocks before it were being delivered when the sound broke off. How late the blocks after it are says nothing:
   * jitter delays them too.
   */
  #place(lostMs: number, minMs: number): void {
    const [first] = this.#held;
    const resumedAtMs = first === undefined ? 0 : first.endsAtMs + first.latenessMs;
    const at = this.#held.findIndex(({ endsAtMs }) => endsAtMs + minMs >= resumedAtMs - catchingUpMs);
    this.#endsAtMs += lostMs;
    this.#held = this.#held.map((held, index) => {
      if (index < at) return { ...held, latenessMs: this.#baselineLatenessMs };
      return {
        ...held,
        lostMs: held.lostMs + (index === at ? lostMs : 0),
        endsAtMs: held.endsAtMs + lostMs,
        latenessMs: held.latenessMs - lostMs,
      };
    });
  }
}

/** True if a block is neither catching up nor delayed again. */
const isAtPace = (latenessMs: number, paceLatenessMs: number): boolean =>
  latenessMs >= paceLatenessMs - catchingUpMs && latenessMs <= paceLatenessMs + suspiciousMs;

/** The browser's timestamps may be permanently off by less than this. Losses are whole blocks of 10 ms and add up. */
const noticeableMs = 20;
/** A single late block was captured late by the browser; after a loss all later blocks are late. */
const takenSettledAfterMs = 200;
/** The usual lateness is the median of this many blocks, so that one outlier does not change it. */
const maxRecentBlocks = 25;
interface TakenBlock<B> {
  block: B;
  durationMs: number;
  /** Capture time minus the length of the sound before it. Only differences are meaningful. */
  latenessMs: number;
}

/** A block with the number of its first frame. A hole in this count is sound that was captured but not delivered. */
export interface FramedBlock<B> {
  block: B;
  frame: number;
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Numbers the frames of a track by the browser's capture timestamps, because a track does not count frames as a
 * worklet does. Rounding, jitter and clock drift leave no hole. A block that never arrived does, once the blocks
 * after it confirm it.
 */
export class CaptureClock<B extends { frames: number }> {
  readonly #framesPerMs: number;
  #nextFrame = 0;
  #soundMs = 0;
  #typicalMs = Infinity;
  #recentMs: number[] = [];
  #held: TakenBlock<B>[] = [];

  constructor(sampleRateHz: number) {
    this.#framesPerMs = sampleRateHz / 1000;
  }

  /**
   * Adds a block whose first sample was captured at `takenAtMs`. Returns the blocks, of this call or held before,
   * whose frame numbers are now known.
   */
  push(block: B, takenAtMs: number): FramedBlock<B>[] {
    const durationMs = block.frames / this.#framesPerMs;
    const latenessMs = takenAtMs - this.#soundMs;
    this.#soundMs += durationMs;
    this.#held.push({ block, durationMs, latenessMs });
    if (latenessMs <= this.#typicalMs + noticeableMs) return this.#passAll();
    const heldMs = this.#held.reduce((sum, held) => sum + held.durationMs, 0);
    return heldMs >= takenSettledAfterMs ? this.release() : [];
  }

  /** Releases the held blocks as they are, because no more will arrive. */
  release(): FramedBlock<B>[] {
    if (this.#held.length > 0) this.#lose(minLateness(this.#held) - this.#typicalMs);
    return this.#passAll();
  }

  /** Puts the hole before all held blocks. */
  #lose(lostMs: number): void {
    this.#nextFrame += Math.round(lostMs * this.#framesPerMs);
    this.#soundMs += lostMs;
    this.#held = this.#held.map((held) => ({ ...held, latenessMs: held.latenessMs - lostMs }));
  }

  #passAll(): FramedBlock<B>[] {
    return this.#held.splice(0).map(({ block, durationMs, latenessMs }) => {
      const frame = this.#nextFrame;
      this.#nextFrame += block.frames;
      this.#recentMs = [...this.#recentMs, latenessMs].slice(-maxRecentBlocks);
      const followedMs =
        this.#typicalMs === Infinity ? latenessMs : this.#typicalMs + durationMs * maxDriftPerMs;
      this.#typicalMs = Math.min(middleOf(this.#recentMs), followedMs);
      return { block, frame };
    });
  }
}
