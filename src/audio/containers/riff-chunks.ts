import type { PieceFile } from './mp4-boxes.ts';

/**
 * A chunk of a wave file. `sizeBytes`: as its header states it, which no byte of the file has to bear out.
 */
export interface RiffChunk {
  name: string;
  contentByte: number;
  sizeBytes: number;
}

const headerBytes = 8;
/** The first chunk stands behind `RIFF`, a size and `WAVE`. */
export const firstChunkByte = 12;

/** The header of the chunk that begins at a byte; null where too few bytes are left. */
export function chunkAt(bytes: Uint8Array, atByte: number, isLittleEndian: boolean): RiffChunk | null {
  if (atByte + headerBytes > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + atByte, headerBytes);
  return {
    name: String.fromCharCode(...bytes.subarray(atByte, atByte + 4)),
    contentByte: atByte + headerBytes,
    sizeBytes: view.getUint32(4, isLittleEndian),
  };
}

/** Where the chunk behind this one begins: at an even place. */
export const nextChunkByte = ({ contentByte, sizeBytes }: RiffChunk): number =>
  contentByte + sizeBytes + (sizeBytes & 1);

/**
 * The chunks of a wave file, in its order, read by their headers alone.
 * @param options.most of a file made to keep its readers busy no more are read
 */
export async function* chunksOf(
  { sizeBytes, read }: PieceFile,
  { isLittleEndian = true, most }: { isLittleEndian?: boolean; most: number },
): AsyncGenerator<RiffChunk, void, unknown> {
  let atByte = firstChunkByte;
  for (let count = 0; count < most && atByte + headerBytes <= sizeBytes; count += 1) {
    const chunk = chunkAt(await read(atByte, atByte + headerBytes), 0, isLittleEndian);
    if (chunk === null) return;
    const placed = { ...chunk, contentByte: atByte + headerBytes };
    yield placed;
    atByte = nextChunkByte(placed);
  }
}
