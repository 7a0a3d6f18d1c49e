import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import type { FfmpegInput } from '../remux/ffmpeg.ts';
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

/** The peaks of a file that ffmpeg decodes, as they are stored; empty where it finds no sound. */
export async function decodedPeaks(program: string, input: FfmpegInput, { signal }: { signal: AbortSignal }): Promise<Uint8Array> {
  const accumulator = new PeaksAccumulator(sampleRateHz);
  const points: Uint8Array[] = [];
  let rest = Buffer.alloc(0);
  await decodeToPcm(program, { input, sampleRateHz, channels }, {
    signal,
    store: async (bytes) => {
      const whole = Buffer.concat([rest, bytes]);
      const usedBytes = whole.length - (whole.length % frameBytes);
      accumulator.push(channelsOf(whole.subarray(0, usedBytes)));
      points.push(bytesOf(accumulator.take()));
      rest = whole.subarray(usedBytes);
    },
  });
  accumulator.flush();
  return Buffer.concat([...points, bytesOf(accumulator.take())]);
}
