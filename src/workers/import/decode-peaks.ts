import type { AudioSample } from 'mediabunny';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { mostSoundMs, wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { limits, peaksFormat } from '#contract/limits.ts';
import { decodeTrack } from './decode-track.ts';
import { openMedia } from './probe/open-media.ts';

const largestBytes = Math.ceil((limits.longestTakeMs / 1000 + 60) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint);
/** Differences of timestamps below this are rounding, not silence. */
const smallestHoleS = 0.01;
/** So much sound is drawn before its points are put aside: a piece of memory for every decoded piece would take more than the points. */
const keptEveryS = 60;

/** Draws sound as it is decoded, at its own times. */
class PeaksOfSamples {
  readonly #accumulator: PeaksAccumulator;
  readonly #sampleRateHz: number;
  readonly #mostFrames: number;
  readonly #pieces: Int8Array<ArrayBuffer>[] = [];
  readonly #planes: Float32Array<ArrayBuffer>[] = [];
  #frames = 0;
  #keptFrames = 0;
  #sizeBytes = 0;

  /** @param mostMs no sound of this file can end later */
  constructor(sampleRateHz: number, mostMs: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#mostFrames = Math.ceil((mostMs / 1000) * sampleRateHz);
    this.#accumulator = new PeaksAccumulator(sampleRateHz);
  }

  /**
   * Takes the next piece of sound; what lies before the beginning of the file's time is the decoder's start-up and is left out.
   * @throws RangeError where its time is none, or is later than any sound of this file can be
   */
  push(sample: AudioSample): void {
    const atFrame = wholeNumberWithin(Math.round(sample.timestamp * this.#sampleRateHz), { least: -this.#mostFrames, most: this.#mostFrames });
    if (atFrame === null) throw new RangeError('a time that cannot be');
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
    this.#accumulator.pushSilence(toFrame - this.#frames);
    this.#frames = toFrame;
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
    const mostMs = Math.min(limits.longestTakeMs, mostSoundMs(file.size));
    const drawn: { peaks: PeaksOfSamples | null } = { peaks: null };
    await decodeTrack(track, (sample) => {
      drawn.peaks ??= new PeaksOfSamples(sample.sampleRate, mostMs);
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
