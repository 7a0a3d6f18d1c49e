import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import type { SoundComparison } from '#audio/peaks/sound-comparison.ts';
import { second } from '#base/duration.ts';
import { PcmFrames } from '#server/processes/ffmpeg/pcm-frames.ts';
import type { HoleReader } from '#server/processes/ffmpeg/placed-sound.ts';
import { type ChosenTrack, decodeToPcm } from '#server/features/recordings/remux/ffmpeg.ts';

const sampleRateHz = 48_000;
const pieceBytes = 64 * 1024;

export interface Measuring extends ChosenTrack {
  /** The channels of the sound itself, because ffmpeg would change the volume by mixing to another number. */
  channels: number;
  /** Reading stops after this much sound. */
  maxMs: number;
  signal: AbortSignal;
  /** Receives the peaks in pieces. */
  storePeaks: (bytes: Uint8Array) => Promise<void>;
  /** Is fed with the peaks; its caller finishes it. */
  comparison?: SoundComparison;
  /** Reads the holes in the timestamps. */
  holes?: HoleReader;
}

/** Stores peaks in chunks that are large enough to be worth a write. */
class PeaksPieces {
  readonly #accumulator = new PeaksAccumulator(sampleRateHz);
  readonly #store: Measuring['storePeaks'];
  #points: Uint8Array[] = [];
  #gatheredBytes = 0;

  readonly #comparison: SoundComparison | undefined;

  /** The largest absolute sample; full scale is 1. */
  get peak(): number {
    return this.#accumulator.peak;
  }

  constructor({ storePeaks, comparison }: Pick<Measuring, 'storePeaks' | 'comparison'>) {
    this.#store = storePeaks;
    this.#comparison = comparison;
  }

  async push(planes: Float32Array[]): Promise<void> {
    this.#accumulator.push(planes);
    await this.#gather();
    if (this.#gatheredBytes >= pieceBytes) await this.#storeGathered();
  }

  async finish(): Promise<void> {
    this.#accumulator.flush();
    await this.#gather();
    await this.#storeGathered();
  }

  async #gather(): Promise<void> {
    const points = this.#accumulator.take();
    await this.#comparison?.push(points);
    const { buffer, byteOffset, byteLength } = points;
    this.#points.push(new Uint8Array(buffer, byteOffset, byteLength));
    this.#gatheredBytes += byteLength;
  }

  async #storeGathered(): Promise<void> {
    const whole = Buffer.concat(this.#points);
    this.#points = [];
    this.#gatheredBytes = 0;
    if (whole.length > 0) await this.#store(whole);
  }
}

/** What decoding a sound gave. `durationMs` is 0 if nothing can be decoded; `peak`: full scale is 1. */
export interface MeasuredSound {
  durationMs: number;
  peak: number;
}

/**
 * Decodes a sound as a player does, from its first timestamp and without the encoder delay, and makes its peaks.
 * The decodable part of a damaged file counts.
 */
export async function measureSound(
  program: string,
  { storePeaks, comparison, signal, ...options }: Measuring,
): Promise<MeasuredSound> {
  const peaks = new PeaksPieces({ storePeaks, ...(comparison === undefined ? {} : { comparison }) });
  const frames = new PcmFrames(options.channels);
  await decodeToPcm(
    program,
    { ...options, sampleRateHz },
    { signal, store: (bytes) => peaks.push(frames.planesOf(bytes)) },
  );
  await peaks.finish();
  return { durationMs: (frames.frames * second) / sampleRateHz, peak: peaks.peak };
}
