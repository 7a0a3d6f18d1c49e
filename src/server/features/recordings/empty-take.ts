import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/** At most the size of the two header pages that open a stream (RFC 7845 §3). */
const headersBytes = 512;

/**
 * A take without sound: its tab was closed before anything was recorded. The bytes decide, because a file that nobody
 * could measure has the length 0 as well. Only the header pages of an Ogg stream are no sound.
 */
export const isEmptyTake = (
  row: Pick<RecordingRow, 'duration_ms'>,
  {
    durationMs,
    audio,
  }: { durationMs: number; audio: readonly Pick<StoredSegment, 'sizeBytes' | 'container'>[] },
): boolean =>
  durationMs === 0 &&
  row.duration_ms === 0 &&
  audio.every(({ sizeBytes, container }) => sizeBytes <= (container === 'ogg' ? headersBytes : 0));
