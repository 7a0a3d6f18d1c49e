import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';

/** Where the peaks lie that the server made of a segment's sound: beside the device's own, whose receipt stays true. */
export const madePeaksKeyOf = ({ blobKey }: StoredSegment): string => `${blobKey}-peaks`;

/** Whether the device sent peaks with the sound of this segment. */
export function hasOwnPeaks(audio: StoredSegment, segments: readonly StoredSegment[]): boolean {
  return segments.some(({ stream, index, sizeBytes }) => stream === 'peaks' && index === audio.index && sizeBytes > 0);
}

async function madePeaksOf(blobs: BlobStore, audio: StoredSegment): Promise<StoredSegment | null> {
  const blobKey = madePeaksKeyOf(audio);
  const head = await blobs.head(blobKey);
  return head && { ...audio, stream: 'peaks', blobKey, sizeBytes: head.sizeBytes, sha256: null, changedAtMs: head.changedAtMs };
}

/** The segments with the peaks that the server made in the place of those that the device did not send. */
export async function withMadePeaks(blobs: BlobStore, segments: readonly StoredSegment[]): Promise<StoredSegment[]> {
  const lacking = segments.filter((each) => each.stream === 'audio' && each.sealedAtMs !== null && !hasOwnPeaks(each, segments));
  const made = (await Promise.all(lacking.map((audio) => madePeaksOf(blobs, audio)))).filter((peaks) => peaks !== null);
  const replaced = new Set(made.map(({ index }) => index));
  const kept = segments.filter(({ stream, index }) => stream !== 'peaks' || !replaced.has(index));
  return [...kept, ...made].sort((a, b) => a.index - b.index);
}
