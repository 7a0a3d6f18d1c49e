import type { CaptureFormat } from '#workers/take/capture-format.ts';

const framesPerBlock = 960;

/** Blocks of silence that last so long, to the nearest sample. */
export function* silenceOf(
  durationMs: number,
  { sampleRateHz, channels }: CaptureFormat,
): Generator<Float32Array[]> {
  const block = new Float32Array(framesPerBlock);
  for (let left = Math.round((durationMs * sampleRateHz) / 1000); left > 0; left -= framesPerBlock) {
    const samples = left < framesPerBlock ? block.subarray(0, left) : block;
    yield Array.from({ length: channels }, () => samples);
  }
}
