import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import { SoundComparison } from '#audio/peaks/sound-comparison.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { type StoredSound, withStoredFile } from '#server/features/recordings/media/ffmpeg-input-of.ts';
import { type Measuring, measureSound } from './measure-sound.ts';

type Bounds = Pick<Measuring, 'channels' | 'latestMs' | 'maxMs' | 'signal' | 'storePeaks'>;

/**
 * Decodes a file that was made of a recording, and compares it with the waveform of what it was made from
 * (`SoundComparison`). Rejects if a store fails, or if ffmpeg was stopped.
 * @returns `durationMs`: 0 if nothing can be decoded
 */
export async function measureMade(
  { blobs, program }: { blobs: BlobStore; program: string },
  { made, waveform }: { made: StoredSound; waveform: PointSource },
  bounds: Bounds,
): Promise<{ durationMs: number; hasAllSound: boolean }> {
  const comparison = new SoundComparison(waveform);
  const { durationMs } = await withStoredFile(blobs, made, (input) =>
    measureSound(program, { input, track: 0, ...bounds, comparison }),
  );
  return { durationMs, hasAllSound: (await comparison.finish()) === null };
}
