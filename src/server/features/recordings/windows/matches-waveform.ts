import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import { second } from '#base/duration.ts';
import { measureMade } from '#server/features/recordings/imports/measure-made.ts';
import type { MadeFile } from '#server/features/recordings/remux/segment-remuxer.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';

/** An Ogg file that was made of a recording, and what it was made from. */
export interface MadeSound {
  made: Pick<MadeFile, 'blobKey'>;
  waveform: PointSource;
  channels: 1 | 2;
  durationMs: number;
}

/**
 * Whether a made file has all the sound of its waveform at its place (`SoundComparison`). Rejects if a store fails,
 * or if ffmpeg was stopped.
 */
export async function matchesWaveform(
  { blobs, program }: { blobs: BlobStore; program: string },
  { made: { blobKey }, waveform, channels, durationMs }: MadeSound,
  signal: AbortSignal,
): Promise<boolean> {
  const { hasAllSound } = await measureMade(
    { blobs, program },
    { made: { blobKey, demuxer: 'ogg' }, waveform },
    {
      channels,
      latestMs: durationMs,
      maxMs: durationMs + second,
      signal,
      storePeaks: async () => undefined,
    },
  );
  return hasAllSound;
}
