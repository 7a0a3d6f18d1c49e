import type { AudioSample } from 'mediabunny';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { limits, peaksFormat } from '#contract/limits.ts';
import { decodeTrack } from './decode-track.ts';
import { openMedia } from './probe/open-media.ts';

const largestBytes = Math.ceil((limits.longestTakeMs / 1000 + 60) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint);
/** Differences of timestamps below this are rounding, not silence. */
const smallestHoleS = 0.01;
const silenceFrames = 4096;
/** So much sound is drawn before its points are put aside: a piece of memory for every decoded piece would take more than the points. */
const keptEveryS = 60;

/** Draws sound as it is decoded, at its own times. */
class PeaksOfSamples {
  readonly #accumulator: PeaksAccumulator;
  readonly #sampleRateHz: number;
  readonly #pieces: Int8Array<ArrayBuffer>[] = [];
  readonly #planes: Float32Array<ArrayBuffer>[] = [];
  #frames = 0;
  #keptFrames = 0;
  #sizeBytes = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#accumulator = new PeaksAccumulator(sampleRateHz);
  }

  /** Takes the next piece of sound; what lies before the beginning of the file's time is the decoder's start-up and is left out. */
  push(sample: AudioSample): void {
    const atFrame = Math.round(sample.timestamp * this.#sampleRateHz);
    const skipped = Math.min(sample.numberOfFrames, Math.max(0, -atFrame));
    this.#fill(atFrame + skipped);
    const frameCount = sample.numberOfFrames - skipped;
    if (frameCount > 0) this.#accumulator.push(this.#channelsOf(sample, skipped, frameCount));
    this.#frames += frameCount;
    if (this.#frames - this.#keptFrames >= keptEveryS * this.#sampleRateHz) this.#keep();
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#accumulator.flush();
    this.#keep();
    const whole = new Uint8Array(this.#sizeBytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(new Uint8Array(piece.buffer, piece.byteOffset, piece.length), at);
      at += piece.length;
    }
    return whole;
  }

  get isTooLong(): boolean {
    return this.#sizeBytes > largestBytes;
  }

  /** Sound that begins late, or was left out, is drawn as silence. */
  #fill(toFrame: number): void {
    if (toFrame - this.#frames < smallestHoleS * this.#sampleRateHz) return;
    const silence = new Float32Array(silenceFrames);
    const end = Math.min(toFrame, (limits.longestTakeMs / 1000) * this.#sampleRateHz);
    while (this.#frames < end) {
      const frames = Math.min(silenceFrames, end - this.#frames);
      this.#accumulator.push([silence.subarray(0, frames)]);
      this.#frames += frames;
    }
  }

  /** Always in the same memory: a long file has hundreds of thousands of pieces. */
  #channelsOf(sample: AudioSample, frameOffset: number, frameCount: number): Float32Array[] {
    return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const known = this.#planes[planeIndex];
      const plane = known && known.length >= frameCount ? known : new Float32Array(frameCount);
      this.#planes[planeIndex] = plane;
      const samples = plane.subarray(0, frameCount);
      sample.copyTo(samples, { planeIndex, format: 'f32-planar', frameOffset, frameCount });
      return samples;
    });
  }

  #keep(): void {
    this.#keptFrames = this.#frames;
    const points = this.#accumulator.take();
    if (points.length === 0) return;
    this.#pieces.push(points);
    this.#sizeBytes += points.length;
  }
}

/**
 * The peaks of a file's sound, a hundred points a second (min, max, min, max… as int8), decoded piece by piece: memory holds the points alone.
 * @returns null where this browser cannot decode the file, or stopped in the middle of it: the server draws it then
 */
export async function decodePeaks(file: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  const input = openMedia(file);
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null || !(await track.canDecode())) return null;
    const drawn: { peaks: PeaksOfSamples | null } = { peaks: null };
    await decodeTrack(track, (sample) => {
      drawn.peaks ??= new PeaksOfSamples(sample.sampleRate);
      drawn.peaks.push(sample);
      if (drawn.peaks.isTooLong) throw new RangeError('longer than any recording may be');
    });
    return drawn.peaks?.finish() ?? null;
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}
