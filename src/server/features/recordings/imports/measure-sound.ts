import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { second } from '#base/duration.ts';
import { type ChosenTrack, decodeToPcm } from '#server/features/recordings/remux/ffmpeg.ts';

const sampleRateHz = 48_000;
const pieceBytes = 64 * 1024;

export interface Measuring extends ChosenTrack {
  /** The channels of the sound itself, because ffmpeg would change the volume by mixing to another number. */
  channels: number;
  /** Reading stops after this much sound. */
  mostMs: number;
  signal: AbortSignal;
  /** Receives the peaks in pieces. */
  storePeaks: (bytes: Uint8Array) => Promise<void>;
}

/** Deinterleaves samples. `bytes` must be whole frames. */
function channelsOf(bytes: Buffer, channels: number): Float32Array[] {
  // A Float32Array must start at a multiple of four bytes, and a chunk from a pipe may start anywhere.
  const aligned =
    bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0 ? bytes : Buffer.copyBytesFrom(bytes);
  const samples = new Float32Array(
    aligned.buffer,
    aligned.byteOffset,
    aligned.byteLength / Float32Array.BYTES_PER_ELEMENT,
  );
  const taken = Array.from({ length: channels }, () => new Float32Array(samples.length / channels));
  taken.forEach((plane, channel) => {
    for (let frame = 0; frame < plane.length; frame += 1)
      plane[frame] = samples[frame * channels + channel] ?? 0;
  });
  return taken;
}

/** Stores peaks in chunks that are large enough to be worth a write. */
class PeaksPieces {
  readonly #accumulator = new PeaksAccumulator(sampleRateHz);
  readonly #store: Measuring['storePeaks'];
  #points: Uint8Array[] = [];
  #gatheredBytes = 0;

  constructor(store: Measuring['storePeaks']) {
    this.#store = store;
  }

  async push(planes: Float32Array[]): Promise<void> {
    this.#accumulator.push(planes);
    this.#gather();
    if (this.#gatheredBytes >= pieceBytes) await this.#storeGathered();
  }

  async finish(): Promise<void> {
    this.#accumulator.flush();
    this.#gather();
    await this.#storeGathered();
  }

  #gather(): void {
    const { buffer, byteOffset, byteLength } = this.#accumulator.take();
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

/**
 * Decodes a sound as a player does, from its first timestamp and without the encoder delay, and makes its peaks.
 * The decodable part of a damaged file counts.
 * @returns the duration in ms; 0 if nothing can be decoded
 */
export async function measureSound(
  program: string,
  { storePeaks, signal, ...options }: Measuring,
): Promise<number> {
  const peaks = new PeaksPieces(storePeaks);
  let rest: Buffer = Buffer.alloc(0);
  let frames = 0;
  const { channels } = options;
  const frameBytes = channels * Float32Array.BYTES_PER_ELEMENT;
  await decodeToPcm(
    program,
    { ...options, sampleRateHz },
    {
      signal,
      store: async (bytes) => {
        const whole =
          rest.length === 0
            ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
            : Buffer.concat([rest, bytes]);
        const usedBytes = whole.length - (whole.length % frameBytes);
        rest = whole.subarray(usedBytes);
        frames += usedBytes / frameBytes;
        if (usedBytes > 0) await peaks.push(channelsOf(whole.subarray(0, usedBytes), channels));
      },
    },
  );
  await peaks.finish();
  return (frames * second) / sampleRateHz;
}
