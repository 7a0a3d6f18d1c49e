// When sound was captured: the frames of a track get numbers (CaptureClock), and numbered frames a time (FrameClock).

/**
 * Clocks of sound cards are off by some hundred millionths: how fast the expectation may follow a slow one.
 */
const driftPerMs = 0.001;

/** Sound that is behind the clock by more than this is late or lost; the next blocks decide which. */
const suspiciousMs = 250;
/** For so long nothing may be caught up any more before what is missing counts as lost. */
const settledAfterMs = 400;
/** The same for the first blocks, which wait in their port until the worker listens. */
const startedAfterMs = 100;
/** A beginning that never comes down to the pace of the clock is fed by a machine, not by a microphone. */
const longestBeginningMs = 1000;
const falseStartMs = 100;
/**
 * Blocks that come this close to the final pace are of its time: what came before them was under way when the
 * sound broke off.
 */
const paceMs = 60;
const catchingUpMs = 10;
/** A block of sound by the worklet's count: the number of its first frame, and how many it holds. */
export interface CountedBlock {
  frame: number;
  frames: number;
}

/** A block whose place in time is known. */
export interface PlacedBlock<B> {
  block: B;
  /** Sound that is missing directly before it, in milliseconds. */
  lostMs: number;
  /** When its first sample was captured, in milliseconds of the clock of arrivals. */
  beganAtMs: number;
}

interface HeldBlock<B> {
  block: B;
  lostMs: number;
  durationMs: number;
  /** Where in the sound it ends, what was lost included. */
  endsAtMs: number;
  /** How late it came: arrival less end. Only differences mean anything. */
  latenessMs: number;
}

/**
 * Compares the clock with counted frames, because no event reports that the computer slept. A busy machine
 * delivers all sound late, in a burst; lost sound never arrives. So when sound falls behind, blocks are held
 * until they arrive at the pace of the clock again; what is missing then is lost. A hole in the worklet's
 * count is a loss at once.
 */
export class FrameClock<B extends CountedBlock> {
  readonly #msPerFrame: number;
  #nextFrame: number | null = null;
  #endsAtMs = 0;
  /** How late a block is that had nothing in its way. */
  #usualLatenessMs = Infinity;
  #held: HeldBlock<B>[] = [];
  #pace: { latenessMs: number; sinceMs: number } | null = null;

  constructor(sampleRateHz: number) {
    this.#msPerFrame = 1000 / sampleRateHz;
  }

  /**
   * Takes a block that came at `nowMs`; answers with the blocks, of this call or held before, whose places
   * are known now.
   */
  push(block: B, nowMs: number): PlacedBlock<B>[] {
    this.#dropFalseStart(block);
    this.#held.push(this.#count(block, nowMs));
    const isOnTime = (this.#held.at(-1)?.latenessMs ?? 0) <= this.#usualLatenessMs + suspiciousMs;
    if (isOnTime && this.#usualLatenessMs < Infinity) return this.#passAll();
    return this.#watch(nowMs) ? this.#judge() : [];
  }

  /** Nothing more will come: what is held counts as it stands. */
  release(): PlacedBlock<B>[] {
    const released: PlacedBlock<B>[] = [];
    while (this.#held.length > 0) released.push(...this.#judge());
    return released;
  }

  /** A source that opens gives a snippet, falls silent for some frames, and then begins. */
  #dropFalseStart({ frame }: B): void {
    const isBeginning = this.#usualLatenessMs === Infinity && this.#endsAtMs < falseStartMs;
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

  /** Looks whether blocks still catch up; true once they come at the pace of the clock. */
  #watch(nowMs: number): boolean {
    const { latenessMs = 0, endsAtMs = 0 } = this.#held.at(-1) ?? {};
    if (this.#pace === null || !isAtPace(latenessMs, this.#pace.latenessMs)) {
      this.#pace = { latenessMs, sinceMs: nowMs };
    }
    if (this.#usualLatenessMs < Infinity) return nowMs - this.#pace.sinceMs >= settledAfterMs;
    return nowMs - this.#pace.sinceMs >= startedAfterMs || endsAtMs > longestBeginningMs;
  }

  #passAll(): PlacedBlock<B>[] {
    this.#pace = null;
    return this.#held.splice(0).map((held) => this.#pass(held));
  }

  #pass({ block, lostMs, durationMs, endsAtMs, latenessMs }: HeldBlock<B>): PlacedBlock<B> {
    this.#usualLatenessMs = Math.min(latenessMs, this.#usualLatenessMs + durationMs * driftPerMs);
    return { block, lostMs, beganAtMs: endsAtMs - durationMs + this.#usualLatenessMs };
  }

  /** Says how much is lost and where, and passes on what lies before the next doubt. */
  #judge(): PlacedBlock<B>[] {
    const lowestMs = this.#held.reduce((lowest, { latenessMs }) => Math.min(lowest, latenessMs), Infinity);
    this.#pace = null;
    if (this.#usualLatenessMs === Infinity) this.#usualLatenessMs = lowestMs;
    const lostMs = lowestMs - this.#usualLatenessMs;
    if (lostMs > suspiciousMs) this.#place(lostMs, lowestMs);
    const nextDoubt = this.#held.findIndex(
      ({ latenessMs }, index) => index > 0 && latenessMs > this.#usualLatenessMs + suspiciousMs,
    );
    return this.#held
      .splice(0, nextDoubt === -1 ? this.#held.length : nextDoubt)
      .map((held) => this.#pass(held));
  }

  /** The loss lies where the blocks reach their final pace. */
  #place(lostMs: number, lowestMs: number): void {
    const onPace = this.#held.findIndex(({ latenessMs }) => latenessMs <= lowestMs + paceMs);
    const at = onPace > 0 && onPace + 1 < this.#held.length ? onPace + 1 : onPace;
    this.#endsAtMs += lostMs;
    this.#held = this.#held.map((held, index) => {
      if (index < at) return { ...held, latenessMs: this.#usualLatenessMs };
      return {
        ...held,
        lostMs: held.lostMs + (index === at ? lostMs : 0),
        endsAtMs: held.endsAtMs + lostMs,
        latenessMs: held.latenessMs - lostMs,
      };
    });
  }
}

/** Neither still catching up nor held up again. */
const isAtPace = (latenessMs: number, paceLatenessMs: number): boolean =>
  latenessMs >= paceLatenessMs - catchingUpMs && latenessMs <= paceLatenessMs + suspiciousMs;

/** The browser's time of a block may be off by less than this for good. Losses are whole blocks of 10 ms and add up. */
const noticeableMs = 20;
/** A block that is late alone was taken late by the browser; after a loss all later blocks are late. */
const takenSettledAfterMs = 200;
/** The usual lateness is the median of so many blocks, so that one outlier does not change it. */
const usualBlocks = 25;
interface TakenBlock<B> {
  block: B;
  durationMs: number;
  /** When it was taken, less the sound before it. Only differences mean anything. */
  latenessMs: number;
}

/** A block whose first frame is known; a hole in this count is sound that was taken and did not come. */
export interface FramedBlock<B> {
  block: B;
  frame: number;
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Numbers the frames of a track by the time when the browser says it took them, because a track does not count them
 * as a worklet does. Rounding, jitter and the drift between two clocks leave no hole. A block that never came does,
 * once the blocks after it agree.
 */
export class CaptureClock<B extends { frames: number }> {
  readonly #framesPerMs: number;
  #nextFrame = 0;
  #soundMs = 0;
  #usualMs = Infinity;
  #recentMs: number[] = [];
  #held: TakenBlock<B>[] = [];

  constructor(sampleRateHz: number) {
    this.#framesPerMs = sampleRateHz / 1000;
  }

  /**
   * Takes a block whose first sample was taken at `takenAtMs`; answers with the blocks, of this call or held
   * before, whose frames are known now.
   */
  push(block: B, takenAtMs: number): FramedBlock<B>[] {
    const durationMs = block.frames / this.#framesPerMs;
    const latenessMs = takenAtMs - this.#soundMs;
    this.#soundMs += durationMs;
    this.#held.push({ block, durationMs, latenessMs });
    if (latenessMs <= this.#usualMs + noticeableMs) return this.#passAll();
    const heldMs = this.#held.reduce((sum, held) => sum + held.durationMs, 0);
    return heldMs >= takenSettledAfterMs ? this.release() : [];
  }

  /** Nothing more will come: what is held counts as it stands. */
  release(): FramedBlock<B>[] {
    if (this.#held.length > 0)
      this.#lose(Math.min(...this.#held.map(({ latenessMs }) => latenessMs)) - this.#usualMs);
    return this.#passAll();
  }

  /** The hole lies before everything that is held. */
  #lose(lostMs: number): void {
    this.#nextFrame += Math.round(lostMs * this.#framesPerMs);
    this.#soundMs += lostMs;
    this.#held = this.#held.map((held) => ({ ...held, latenessMs: held.latenessMs - lostMs }));
  }

  #passAll(): FramedBlock<B>[] {
    return this.#held.splice(0).map(({ block, durationMs, latenessMs }) => {
      const frame = this.#nextFrame;
      this.#nextFrame += block.frames;
      this.#recentMs = [...this.#recentMs, latenessMs].slice(-usualBlocks);
      const followedMs = this.#usualMs === Infinity ? latenessMs : this.#usualMs + durationMs * driftPerMs;
      this.#usualMs = Math.min(middleOf(this.#recentMs), followedMs);
      return { block, frame };
    });
  }
}
