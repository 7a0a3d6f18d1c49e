import { Readable } from 'node:stream';
import type { OpenPyramid } from '#audio/window/window-peaks.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';

type Range = Parameters<ByteSource['read']>[0];

/** Pieces of a pyramid, so that a long one is not in memory as a whole. */
const pieceBytes = 256 * 1024;

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
