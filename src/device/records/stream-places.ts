/** A stream and its place of storage. */
export interface StreamPlace {
  uploadId: string;
  /** The slot file (`slots/<name>` in OPFS) that holds it; null if only the log in IndexedDB does. */
  slot: string | null;
}

/** The two streams of a segment, each stored under the id of its upload. */
export interface SegmentPlaces {
  audioUploadId: string;
  peaksUploadId: string;
  audioSlot: string | null;
  peaksSlot: string | null;
}

/** The streams of a take: audio and peaks of every segment. */
export function placesOf({ segments }: { segments: readonly SegmentPlaces[] }): StreamPlace[] {
  return segments.flatMap((segment) => [
    { uploadId: segment.audioUploadId, slot: segment.audioSlot },
    { uploadId: segment.peaksUploadId, slot: segment.peaksSlot },
  ]);
}
