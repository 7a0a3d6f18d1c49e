import { type OggSegmentFacts, readSegmentFacts, withPacketsCounted } from '#audio/ogg/joined-facts.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { remuxedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';

/** The Ogg/Opus file with a segment's sound. */
export interface OggFile {
  blobKey: string;
  sizeBytes: number;
}

/** The Ogg file of an audio segment: the uploaded one, or the one made from it. Null until it has been made. */
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

/** Whether a segment's sound can be joined with other segments. */
export const isJoinable = (segment: StoredSegment): boolean =>
  segment.stream === 'audio' && oggFileOf(segment) !== null;

/**
 * Reads the facts of a segment's Ogg file. Returns null if it has no sound yet, is not Ogg/Opus, or its file is
 * missing.
 */
export type OggSegmentReader = (segment: StoredSegment) => Promise<OggSegmentFacts | null>;

/**
 * Reads the facts of a segment from the first and last pages of its Ogg file, so the cost does not grow with the
 * length. Results are cached by size, because stored bytes never change.
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
    // A damaged disk may lose or truncate a file, and a backup may restore it. Whatever exists is played.
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
