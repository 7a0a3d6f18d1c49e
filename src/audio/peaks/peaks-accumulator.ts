export const pointsPerSecond = 100;
const fullScale = 127;

/**
 * Converts PCM to peaks: the lowest and the highest sample of any channel per hundredth of a second, as int8.
 * Points depend only on the samples, not on how they are cut into blocks.
 */
export class PeaksAccumulator {
  readonly #sampleRateHz: number;
  #points = new Int8Array(64);
  #filled = 0;
  #pointCount = 0;
  #frames = 0;
  #endsAtFrame: number;
  #lowest = Infinity;
  #highest = -Infinity;
  #peak = 0;

  /** @throws RangeError for a rate at which a point would have less than one sample */
  constructor(sampleRateHz: number) {
    if (!(sampleRateHz >= pointsPerSecond))
      throw new RangeError(
        `sound has at least ${pointsPerSecond} samples a second, received ${sampleRateHz}`,
      );
    this.#sampleRateHz = sampleRateHz;
    this.#endsAtFrame = this.#endOfPoint(0);
  }

  /** Adds one block of PCM, one array of samples (−1…1) per channel, all of the same length. */
  push(channels: readonly Float32Array[]): void {
    const frames = channels[0]?.length ?? 0;
    for (let from = 0; from < frames;) {
      const to = Math.min(frames, from + this.#endsAtFrame - this.#frames);
      for (const samples of channels) this.#widen(samples, from, to);
      this.#frames += to - from;
      from = to;
      if (this.#frames === this.#endsAtFrame) this.#close();
    }
  }

  /** Adds this many frames of silence without a loop over samples. */
  pushSilence(frames: number): void {
    for (let left = frames; left > 0;) {
      const taken = Math.min(left, this.#endsAtFrame - this.#frames);
      this.#lowest = Math.min(this.#lowest, 0);
      this.#highest = Math.max(this.#highest, 0);
      this.#frames += taken;
      left -= taken;
      if (this.#frames === this.#endsAtFrame) this.#close();
    }
  }

  /** Closes the open point, so that the last few milliseconds are drawn too. */
  flush(): void {
    if (this.#frames > (this.#pointCount === 0 ? 0 : this.#endOfPoint(this.#pointCount - 1))) this.#close();
  }

  /** The points closed since the last call (min, max, min, max…), as a copy. */
  take(): Int8Array<ArrayBuffer> {
    const points = this.#points.slice(0, this.#filled);
    this.#filled = 0;
    return points;
  }

  /** The largest absolute sample of all closed points. Full scale is 1. */
  get peak(): number {
    return this.#peak;
  }

  #endOfPoint(index: number): number {
    return Math.floor(((index + 1) * this.#sampleRateHz) / pointsPerSecond);
  }

  #widen(samples: Float32Array, from: number, to: number): void {
    let lowest = this.#lowest;
    let highest = this.#highest;
    for (let index = from; index < to; index++) {
      const sample = samples[index] ?? 0;
      if (sample < lowest) lowest = sample;
      if (sample > highest) highest = sample;
    }
    this.#lowest = lowest;
    this.#highest = highest;
  }

  #close(): void {
    if (this.#filled === this.#points.length) {
      const wider = new Int8Array(this.#points.length * 2);
      wider.set(this.#points);
      this.#points = wider;
    }
    this.#points[this.#filled] = quantised(this.#lowest);
    this.#points[this.#filled + 1] = quantised(this.#highest);
    this.#filled += 2;
    this.#peak = Math.max(this.#peak, -this.#lowest, this.#highest);
    this.#lowest = Infinity;
    this.#highest = -Infinity;
    this.#pointCount += 1;
    this.#endsAtFrame = this.#endOfPoint(this.#pointCount);
  }
}

/** A point without any number (every sample NaN) is silence. */
function quantised(sample: number): number {
  if (!Number.isFinite(sample)) return 0;
  return Math.max(-fullScale, Math.min(fullScale, Math.round(sample * fullScale)));
}
