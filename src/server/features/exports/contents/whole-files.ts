import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/**
 * Returns the files that have their sealed length in the store. A damaged disk may have lost or truncated others.
 * A file that is still growing counts as complete.
 */
export async function wholeOf<Segment extends StoredSegment>(
  blobs: BlobStore,
  segments: readonly Segment[],
): Promise<Segment[]> {
  const heads = await Promise.all(segments.map(({ blobKey }) => blobs.head(blobKey)));
  return segments.filter(
    ({ sealedAtMs, sizeBytes }, index) => sealedAtMs === null || heads[index]?.sizeBytes === sizeBytes,
  );
}

/** Whether all of a recording's sound is among its complete files. Without it the rest is not worth exporting. */
export function hasAllSound(whole: readonly StoredSegment[], all: readonly StoredSegment[]): boolean {
  const soundIn = (segments: readonly StoredSegment[]): number =>
    segments.filter(({ stream }) => stream === 'audio').length;
  return soundIn(whole) === soundIn(all);
}
