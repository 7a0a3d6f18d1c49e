import type { TakeRecord } from '#workers/take/take-record.ts';

/** A stream and where it is kept. */
export interface StreamPlace {
  uploadId: string;
  slot: string | null;
}

/** The streams of a take, audio and peaks of every segment. */
export function placesOf({ segments }: Pick<TakeRecord, 'segments'>): StreamPlace[] {
  return segments.flatMap((segment) => [
    { uploadId: segment.audioUploadId, slot: segment.audioSlot },
    { uploadId: segment.peaksUploadId, slot: segment.peaksSlot },
  ]);
}
