import { type OggSegmentFacts, readSegmentFacts, withPacketsCounted } from '#audio/ogg/joined-facts.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { RemuxedContainer } from '#server/storage/database/schema.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/** The file in which a segment's sound lies as Ogg/Opus. */
export interface OggFile {
  blobKey: string;
  sizeBytes: number;
}

/** Where the file lies that is played in the place of a segment. */
export const remuxedKeyOf = (blobKey: string, container: RemuxedContainer = 'ogg'): string =>
  `${blobKey}-${container}`;

/** The Ogg file of an audio segment: what came, or what was made of it; null as long as it is not made. */
export function oggFileOf({
  container,
  blobKey,
  sizeBytes,
  remuxedBytes,
  remuxedContainer,
}: StoredSegment): OggFile | null {
  if (container === 'ogg') return { blobKey, sizeBytes };
  return remuxedBytes === null || remuxedContainer !== 'ogg'
    ? null
    : { blobKey: remuxedKeyOf(blobKey), sizeBytes: remuxedBytes };
}

/** Whether a segment is sound that can be joined to others. */
export const isJoinable = (segment: StoredSegment): boolean =>
  segment.stream === 'audio' && oggFileOf(segment) !== null;

/** What can be played of a segment, or null: no sound yet, not Ogg/Opus, its file gone. */
export type OggSegmentReader = (segment: StoredSegment) => Promise<OggSegmentFacts | null>;

/**
 * Reads what a segment's Ogg file says of itself, from its first pages and its last: the cost does not grow
 * with the length. Answers are remembered by size, since what is stored never changes.
 */
export function createOggSegmentReader(blobs: BlobStore): OggSegmentReader {
  const known = new BoundedMap<string, { facts: OggSegmentFacts | null }>(4096);

  async function measure({ blobKey, sizeBytes }: OggFile): Promise<OggSegmentFacts | null> {
    return readSegmentFacts(
      (startByte, endByteExclusive) => blobs.read(blobKey, { startByte, endByteExclusive }),
      sizeBytes,
    );
  }

  return async (segment) => {
    const file = oggFileOf(segment);
    if (file === null || file.sizeBytes === 0) return null;
    // A file may be gone or cut short on a damaged disk, and come back from a backup: what is left of it is
    // played.
    const sizeBytes = Math.min(file.sizeBytes, (await blobs.head(file.blobKey))?.sizeBytes ?? 0);
    if (sizeBytes === 0) return null;
    const key = `${file.blobKey}:${sizeBytes}`;
    const remembered = known.get(key) ?? { facts: await measure({ blobKey: file.blobKey, sizeBytes }) };
    known.set(key, remembered);
    return remembered.facts && segment.packetSamples !== null
      ? withPacketsCounted(remembered.facts, segment.packetSamples)
      : remembered.facts;
  };
}
