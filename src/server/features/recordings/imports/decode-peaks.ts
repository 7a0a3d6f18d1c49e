import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import type { FfmpegInput } from '../../../processes/ffmpeg/ffmpeg-input.ts';
import { decodeToPcm } from '../remux/ffmpeg.ts';

const sampleRateHz = 48_000;
const channels = 2;
const frameBytes = channels * Float32Array.BYTES_PER_ELEMENT;

/** Takes the two channels of interleaved samples apart; `bytes` are whole frames. */
function channelsOf(bytes: Uint8Array): Float32Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames = bytes.byteLength / frameBytes;
  return Array.from({ length: channels }, (_, channel) => Float32Array.from({ length: frames }, (_frame, frame) => view.getFloat32(frame * frameBytes + channel * Float32Array.BYTES_PER_ELEMENT, true)));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

const pieceBytes = 64 * 1024;

/** Stores the peaks of a file that ffmpeg decodes, piece by piece, of no more than `mostMs`; nothing where it finds no sound. */
export async function decodePeaks(program: string, input: FfmpegInput, { mostMs, signal, store }: { mostMs: number; signal: AbortSignal; store: (bytes: Uint8Array) => Promise<void> }): Promise<void> {
  const accumulator = new PeaksAccumulator(sampleRateHz);
  let points: Uint8Array[] = [];
  let gatheredBytes = 0;
  let rest = Buffer.alloc(0);
  const gather = (): void => {
    const taken = bytesOf(accumulator.take());
    points.push(taken);
    gatheredBytes += taken.length;
  };
  const storeGathered = async (): Promise<void> => {
    const whole = Buffer.concat(points);
    points = [];
    gatheredBytes = 0;
    if (whole.length > 0) await store(whole);
  };
  await decodeToPcm(program, { input, sampleRateHz, channels, mostMs }, {
    signal,
    store: async (bytes) => {
      const whole = Buffer.concat([rest, bytes]);
      const usedBytes = whole.length - (whole.length % frameBytes);
      accumulator.push(channelsOf(whole.subarray(0, usedBytes)));
      gather();
      rest = whole.subarray(usedBytes);
      if (gatheredBytes >= pieceBytes) await storeGathered();
    },
  });
  accumulator.flush();
  gather();
  await storeGathered();
}
