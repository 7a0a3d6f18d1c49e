import { countPacketSamples } from '#audio/ogg/count-packets.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { OggSegmentReader } from './ogg-segment.ts';

/**
 * Counts the samples of a sealed Ogg segment's packets once and stores the sum: its sound is never longer,
 * whatever its pages claim.
 */
export type CountPackets = (segment: StoredSegment) => Promise<StoredSegment>;

/** Creates the packet counter. Segments that this server made itself are not counted. */
export function createPacketCounter({
  database,
  blobs,
  measure,
}: {
  database: Database;
  blobs: BlobStore;
  measure: OggSegmentReader;
}): CountPackets {
  return async (segment) => {
    if (
      segment.stream !== 'audio' ||
      segment.container !== 'ogg' ||
      segment.sealedAtMs === null ||
      segment.packetSamples !== null
    )
      return segment;
    const facts = await measure(segment);
    if (facts === null) return segment;
    const packetSamples = await countPacketSamples(
      (startByte, endByteExclusive) => blobs.read(segment.blobKey, { startByte, endByteExclusive }),
      { startByte: facts.headersBytes, sizeBytes: facts.sizeBytes },
    );
    await database.queries
      .updateTable('uploads')
      .set({ packet_samples: packetSamples })
      .where('id', '=', segment.uploadId)
      .execute();
    return { ...segment, packetSamples };
  };
}
