import type { PieceFile } from './mp4-boxes.ts';

/** A chunk of a WAVE file. `sizeBytes` is the size in its header, which may be more than the file contains. */
export interface RiffChunk {
  name: string;
  contentByte: number;
  sizeBytes: number;
}

const headerBytes = 8;
/** The first chunk follows `RIFF`, a size and `WAVE`. */
export const firstChunkByte = 12;

/** Reads the header of the chunk at an offset; null if too few bytes are left. */
export function chunkAt(bytes: Uint8Array, atByte: number, isLittleEndian: boolean): RiffChunk | null {
  if (atByte + headerBytes > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + atByte, headerBytes);
  return {
    name: String.fromCharCode(...bytes.subarray(atByte, atByte + 4)),
    contentByte: atByte + headerBytes,
    sizeBytes: view.getUint32(4, isLittleEndian),
  };
}

/** The offset of the next chunk, which is always even. */
export const nextChunkByte = ({ contentByte, sizeBytes }: RiffChunk): number =>
  contentByte + sizeBytes + (sizeBytes & 1);

/**
 * The chunks of a WAVE file in order; reads only their headers.
 * @param options.max limit for files made to waste time
 */
export async function* chunksOf(
  { sizeBytes, read }: PieceFile,
  { isLittleEndian = true, max }: { isLittleEndian?: boolean; max: number },
): AsyncGenerator<RiffChunk, void, unknown> {
  let atByte = firstChunkByte;
  for (let count = 0; count < max && atByte + headerBytes <= sizeBytes; count += 1) {
    const chunk = chunkAt(await read(atByte, atByte + headerBytes), 0, isLittleEndian);
    if (chunk === null) return;
    const placed = { ...chunk, contentByte: atByte + headerBytes };
    yield placed;
    atByte = nextChunkByte(placed);
  }
}
