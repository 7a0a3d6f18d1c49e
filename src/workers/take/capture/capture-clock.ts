/**
 * Less than this the browser's idea of when a block was taken may be off for good; losses come in whole
 * blocks of 10 ms and add up.
 */
const noticeableMs = 20;
/** A block whose time is late only once was taken late by the browser; what is lost stays lost. */
const settledAfterMs = 200;
/** The usual lateness is the median of so many blocks, so that one outlier does not change it. */
const usualBlocks = 25;
/**
 * Clocks of sound cards are off by some hundred millionths: how fast the expectation may follow a slow one.
 */
const driftPerMs = 0.001;

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
 * Counts the frames of a track by when the browser says they were taken. Rounding, jitter and the drift
 * between two clocks leave no hole; a block that never came does, once the blocks behind it agree.
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
    return heldMs >= settledAfterMs ? this.release() : [];
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
