import { Readable } from 'node:stream';
import { joinedBytes } from '#audio/ogg/joined-bytes.ts';
import type { WindowLayout } from '#audio/window/window-layout.ts';
import type { OpenPyramid } from '#audio/window/window-peaks.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';

type Range = Parameters<ByteSource['read']>[0];

/** Pieces of a pyramid, so that a long one is not in memory as a whole. */
const pieceBytes = 256 * 1024;

/** The sound of a window as a source with random access. `fingerprint` becomes its ETag. */
export const soundOfWindow = ({ layout, read }: WindowLayout, fingerprint: string): ByteSource => ({
  sizeBytes: layout.sizeBytes,
  etag: `"${fingerprint}"`,
  mediaType: 'audio/ogg; codecs=opus',
  async read(range) {
    const pieces: Uint8Array[] = [];
    for await (const piece of joinedBytes(layout, read, range)) pieces.push(piece);
    return Buffer.concat(pieces);
  },
  stream: (range) => Readable.from(joinedBytes(layout, read, range), { objectMode: false }),
});

/** The peaks of a window as a source with random access. */
export function peaksOfWindow({ sizeBytes, read }: OpenPyramid, fingerprint: string): ByteSource {
  async function* pieces({ startByte, endByteExclusive }: Range): AsyncGenerator<Uint8Array> {
    for (let at = startByte; at < endByteExclusive; at += pieceBytes)
      yield await read(at, Math.min(endByteExclusive, at + pieceBytes));
  }
  return {
    sizeBytes,
    etag: `"${fingerprint}-peaks-${sizeBytes}"`,
    mediaType: 'application/octet-stream',
    read: ({ startByte, endByteExclusive }) => read(startByte, endByteExclusive),
    stream: (range) => Readable.from(pieces(range), { objectMode: false }),
  };
}
