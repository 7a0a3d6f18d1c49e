import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/** The audio streams to which no more bytes are added. */
export const sealedAudio = (segments: readonly StoredSegment[]): StoredSegment[] =>
  segments.filter(({ stream, sealedAtMs }) => stream === 'audio' && sealedAtMs !== null);
