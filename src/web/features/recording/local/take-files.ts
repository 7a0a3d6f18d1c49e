import { readStream } from '#device/streams/stored-streams.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';

/**
 * One stream of one segment of a take as it is on this device now, also while it is recorded: then Ogg may
 * end within a page. Bytes are read when the Blob is.
 */
export async function segmentFile(
  record: Pick<TakeRecord, 'segments'>,
  index: number,
  stream: 'audio' | 'peaks',
): Promise<Blob> {
  const segment = record.segments[index];
  if (!segment) throw new RangeError(`the take has ${record.segments.length} segments, asked for ${index}`);
  return readStream(
    stream === 'audio'
      ? { uploadId: segment.audioUploadId, slot: segment.audioSlot }
      : { uploadId: segment.peaksUploadId, slot: segment.peaksSlot },
  );
}
