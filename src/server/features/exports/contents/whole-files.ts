import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/**
 * Those of a recording's files that lie in the store as long as they were sealed; a disk may have lost one,
 * or cut it short. What still grows counts as whole.
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

/**
 * Whether all of a recording's sound is among its whole files: without it the rest is not worth taking away.
 */
export function hasAllSound(whole: readonly StoredSegment[], all: readonly StoredSegment[]): boolean {
  const soundIn = (segments: readonly StoredSegment[]): number =>
    segments.filter(({ stream }) => stream === 'audio').length;
  return soundIn(whole) === soundIn(all);
}
