import { longestOggPageBytes, packetsOf, readOggPage } from '#audio/ogg/ogg-page.ts';
import { durationMsOf, lastPageIn } from '#audio/ogg/ogg-prefix.ts';
import { readOpusHead } from '#audio/ogg/opus-headers.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';

/** Two of the longest pages there can be: one of them is whole. */
const tailWindowBytes = 2 * longestOggPageBytes;
/** Holds the longest identification header of mapping family 0 with room to spare (RFC 7845 §5.1). */
const headWindowBytes = 512;

/** What can be played of one Ogg/Opus blob: its CRC-valid whole pages. */
interface PlayableSegment { sizeBytes: number; durationMs: number }

export type OggSegmentReader = (blobKey: string, sizeBytes: number) => Promise<PlayableSegment>;

/**
 * Reads how much of a blob can be played, and how long that lasts, from its first page and its last: the cost does not grow
 * with the length. Answers are remembered by size, since what is stored never changes.
 */
export function createOggSegmentReader(blobs: BlobStore): OggSegmentReader {
  const known = new BoundedMap<string, PlayableSegment>(512);

  async function preSkipOf(blobKey: string): Promise<number> {
    const page = readOggPage(await blobs.read(blobKey, { startByte: 0, endByteExclusive: headWindowBytes }));
    const [head] = page ? packetsOf(page) : [];
    return (head && readOpusHead(head)?.preSkip) ?? 0;
  }

  async function measure(blobKey: string, sizeBytes: number): Promise<PlayableSegment> {
    const startByte = Math.max(0, sizeBytes - tailWindowBytes);
    const last = lastPageIn(await blobs.read(blobKey, { startByte, endByteExclusive: sizeBytes }));
    if (!last) return { sizeBytes: 0, durationMs: 0 };
    return { sizeBytes: startByte + last.endsAtBytes, durationMs: durationMsOf(last.page.granulePosition, await preSkipOf(blobKey)) };
  }

  return async (blobKey, sizeBytes) => {
    if (sizeBytes === 0) return { sizeBytes: 0, durationMs: 0 };
    const key = `${blobKey}:${sizeBytes}`;
    const remembered = known.get(key) ?? await measure(blobKey, sizeBytes);
    known.set(key, remembered);
    return remembered;
  };
}
