import { resolve } from 'node:path';
import type { FfmpegInput, OpenFfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import { openWholeFile } from '#server/processes/ffmpeg/whole-file.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';

/** A stored file, and ffmpeg's name for its container if known. */
export interface StoredSound {
  blobKey: string;
  demuxer?: string;
}

/**
 * Opens a stored file for ffmpeg, which may seek in it and reads all of its sound. Rejects if the store has no such
 * file.
 */
export async function openStoredFile(
  blobs: BlobStore,
  { blobKey, ...named }: StoredSound,
): Promise<OpenFfmpegInput> {
  const { path, release } = await blobs.localFile(blobKey);
  try {
    const whole = await openWholeFile(resolve(path), named);
    return {
      input: whole.input,
      async release() {
        await whole.release();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Opens a stored file for ffmpeg while `work` runs. */
export async function withStoredFile<Result>(
  blobs: BlobStore,
  sound: StoredSound,
  work: (input: FfmpegInput) => Promise<Result>,
): Promise<Result> {
  const { input, release } = await openStoredFile(blobs, sound);
  try {
    return await work(input);
  } finally {
    await release();
  }
}
