import { gatherBytes } from '#server/storage/blobs/gather-bytes.ts';

/** The size of all chunks of a stream but the last. */
export const chunkBytes = 4 * 1024 * 1024;

/** Cuts a source into chunks of `chunkBytes`, the last of which is shorter. */
export async function* cutIntoChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of gatherBytes(source, chunkBytes)) {
    rest = Buffer.concat([rest, piece]);
    for (; rest.length >= chunkBytes; rest = rest.subarray(chunkBytes)) yield rest.subarray(0, chunkBytes);
  }
  if (rest.length > 0) yield rest;
}
