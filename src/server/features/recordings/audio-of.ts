import { Readable } from 'node:stream';
import type { Range } from '../../http/byte-range.ts';
import type { ByteSource } from '../../http/send-bytes.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { RecordingRow } from '../../storage/database/schema.ts';
import type { StoredSegment } from '../uploads/stored-segments.ts';
import type { OggSegmentReader } from './ogg-segment.ts';

/** One run of bytes in one blob. */
export interface AudioPiece { blobKey: string; sizeBytes: number }

/**
 * The pieces that, one after the other, are a recording's audio: the whole pages of each segment, in order. Several segments
 * are chained Ogg bitstreams (RFC 3533 §4); this is the place where they become one stream by rewriting page headers.
 */
export async function audioOf(segments: readonly StoredSegment[], measure: OggSegmentReader): Promise<AudioPiece[]> {
  const audio = segments.filter(({ stream }) => stream === 'audio');
  const pieces = await Promise.all(audio.map(async ({ blobKey, sizeBytes }) => ({ blobKey, sizeBytes: (await measure(blobKey, sizeBytes)).sizeBytes })));
  return pieces.filter(({ sizeBytes }) => sizeBytes > 0);
}

/** Cuts a range of the whole into ranges of its pieces. */
function cut(pieces: readonly AudioPiece[], range: Range): { blobKey: string; range: Range }[] {
  let offsetBytes = 0;
  return pieces.flatMap(({ blobKey, sizeBytes }) => {
    const startByte = Math.max(0, range.startByte - offsetBytes);
    const endByteExclusive = Math.min(sizeBytes, range.endByteExclusive - offsetBytes);
    offsetBytes += sizeBytes;
    return startByte < endByteExclusive ? [{ blobKey, range: { startByte, endByteExclusive } }] : [];
  });
}

/** A recording's audio as bytes that can be read from anywhere. */
export function audioSource(blobs: BlobStore, recording: RecordingRow, pieces: readonly AudioPiece[]): ByteSource {
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.sizeBytes, 0);
  async function* chain(range: Range) {
    for (const part of cut(pieces, range)) yield* blobs.stream(part.blobKey, part.range);
  }
  return {
    // The bytes of a prefix never change: its length names them.
    sizeBytes, etag: `"${recording.id}-${sizeBytes}"`, mediaType: 'audio/ogg; codecs=opus',
    read: async (range) => Buffer.concat(await Promise.all(cut(pieces, range).map((part) => blobs.read(part.blobKey, part.range)))),
    stream: (range) => {
      const parts = cut(pieces, range);
      const [only] = parts;
      return parts.length === 1 && only ? blobs.stream(only.blobKey, only.range) : Readable.from(chain(range), { objectMode: false });
    },
  };
}
