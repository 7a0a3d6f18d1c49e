import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/** The size of a recording's own files: what was uploaded, and what the player needs besides. */
export const ownBytesOf = (segments: readonly StoredSegment[], otherBytes: number): number =>
  segments.reduce(
    (sum, { sizeBytes, stream, remuxedBytes }) =>
      sum + sizeBytes + (stream === 'audio' ? (remuxedBytes ?? 0) : 0),
    otherBytes,
  );
