import type { AudioSample, Input, InputAudioTrack } from 'mediabunny';
import { mp3SamplesInFront } from '#audio/containers/stated/mp3-facts.ts';
import { readStatedFacts } from '#audio/containers/stated/read-stated-facts.ts';
import type { Obstacle } from '#audio/containers/stated/stated-facts.ts';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { maxSoundMsOf, wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { limits, peaksFormat } from '#contract/limits.ts';
import { decodeTrack } from './decode-track.ts';
import { containerOf, openMedia } from './probe/open-media.ts';

const maxBytes = Math.ceil(
  (limits.maxTakeMs / 1000 + 60) * peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint,
);
/** Differences of timestamps below this are rounding, not silence. */
const minHoleS = 0.01;
/**
 * How much sound is drawn before its points are moved to a new piece. One buffer per decoded sample would take
 * more memory than the points.
 */
const storeIntervalS = 60;

/** Draws sound while it is decoded, at its timestamps. */
class PeaksOfSamples {
  readonly #accumulator: PeaksAccumulator;
  readonly #sampleRateHz: number;
  readonly #maxFrames: number;
  readonly #startFrame: number;
  readonly #pieces: Int8Array<ArrayBuffer>[] = [];
  readonly #planes: Float32Array<ArrayBuffer>[] = [];
  #frames = 0;
  #storedFrames = 0;
  #sizeBytes = 0;

  /**
   * @param options.maxMs latest possible end of sound in this file
   * @param options.startS start of the sound; the decoder's output before it is dropped
   */
  constructor(sampleRateHz: number, { maxMs, startS }: { maxMs: number; startS: number }) {
    this.#sampleRateHz = sampleRateHz;
    this.#startFrame = Math.round(startS * sampleRateHz);
    this.#maxFrames = Math.ceil((maxMs / 1000) * sampleRateHz);
    this.#accumulator = new PeaksAccumulator(sampleRateHz);
  }

  /**
   * Adds the next piece of sound. Skips samples before the start, which are the decoder's start-up.
   * @throws RangeError if its timestamp is invalid, or later than any sound of this file can be
   */
  push(sample: AudioSample): void {
    const atFrame = wholeNumberWithin(Math.round(sample.timestamp * this.#sampleRateHz) - this.#startFrame, {
      min: -this.#maxFrames,
      max: this.#maxFrames,
    });
    if (atFrame === null) throw new RangeError('an impossible timestamp');
    const skipped = Math.min(sample.numberOfFrames, Math.max(0, -atFrame));
    this.#fill(atFrame + skipped);
    const frameCount = sample.numberOfFrames - skipped;
    if (frameCount > 0) this.#accumulator.push(this.#channelsOf(sample, skipped, frameCount));
    this.#frames += frameCount;
    if (this.#frames - this.#storedFrames >= storeIntervalS * this.#sampleRateHz) this.#store();
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#accumulator.flush();
    this.#store();
    const whole = new Uint8Array(this.#sizeBytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(new Uint8Array(piece.buffer, piece.byteOffset, piece.length), at);
      at += piece.length;
    }
    return whole;
  }

  get isTooLong(): boolean {
    return this.#sizeBytes > maxBytes;
  }

  /** Draws missing sound as silence. */
  #fill(toFrame: number): void {
    if (toFrame - this.#frames < minHoleS * this.#sampleRateHz) return;
    this.#accumulator.pushSilence(toFrame - this.#frames);
    this.#frames = toFrame;
  }

  /** Reuses the same buffers, because a long file has hundreds of thousands of pieces. */
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

  #store(): void {
    this.#storedFrames = this.#frames;
    const points = this.#accumulator.take();
    if (points.length === 0) return;
    this.#pieces.push(points);
    this.#sizeBytes += points.length;
  }
}

/** Cases that this browser's decoder, or our parser, misreads. */
const misread: ReadonlySet<Obstacle> = new Set(['several-streams', 'layout', 'edits']);

interface Read {
  input: Input;
  file: Blob;
  track: InputAudioTrack;
}

/**
 * The start of a track's sound in seconds: its first timestamp plus the encoder's delay. Null if the peaks would
 * be wrong.
 */
async function startOf({ input, file, track }: Read): Promise<number | null> {
  const pieces = {
    sizeBytes: file.size,
    read: async (startByte: number, endByteExclusive: number) =>
      new Uint8Array(await file.slice(startByte, endByteExclusive).arrayBuffer()),
  };
  const container = containerOf(await input.getFormat());
  if ((await readStatedFacts(container, pieces)).obstacles.some((obstacle) => misread.has(obstacle)))
    return null;
  const inFront = container === 'mp3' ? await mp3SamplesInFront(pieces) : 0;
  return Math.max(0, await track.getFirstTimestamp()) + inFront / (await track.getSampleRate());
}

/**
 * The peaks of a file's sound, a hundred points a second (min, max, min, max… as int8). Decodes piece by piece, so
 * that only the points are in memory.
 * @param signal stops decoding
 * @returns null if this browser cannot decode the file completely, or was stopped; the server then draws it
 */
export async function decodePeaks(file: Blob, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  const input = openMedia(file);
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null || !(await track.canDecode())) return null;
    const startS = await startOf({ input, file, track });
    if (startS === null) return null;
    const maxMs = Math.min(limits.maxTakeMs, maxSoundMsOf(file.size));
    const drawn: { peaks: PeaksOfSamples | null } = { peaks: null };
    await decodeTrack(track, (sample) => {
      signal?.throwIfAborted();
      drawn.peaks ??= new PeaksOfSamples(sample.sampleRate, { maxMs, startS });
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
