import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import type { ChunkFamily } from './chunk-families.ts';
import { numberAt } from './size-field.ts';

/** A chunk by its header. */
export interface Chunk {
  name: string;
  headerAt: number;
  /** The offset of the size, and how many bytes it has. */
  sizeAt: number;
  sizeBytes: 4 | 8;
  contentByte: number;
  /** The size of the content as stated. Beyond 2^53 it is rounded. */
  statedBytes: number;
}

const longSizeBytes = 8;
/** The longest header. */
const headerBytes = 24;

/** Reads the header of a chunk; null if too few bytes are left. */
function chunkIn(bytes: Uint8Array, headerAt: number, family: ChunkFamily): Chunk | null {
  const { nameBytes, isSizeFirst, isLittleEndian } = family;
  let { sizeBytes } = family;
  let endsAt = nameBytes + sizeBytes;
  if (bytes.length < endsAt) return null;
  const nameAt = isSizeFirst ? sizeBytes : 0;
  let sizeAt = isSizeFirst ? 0 : nameBytes;
  let size = numberAt(bytes, { atByte: sizeAt, sizeBytes, isLittleEndian });
  // In MP4 a size of 1 means that the size follows the name, in eight bytes.
  if (isSizeFirst && size === 1) {
    [sizeAt, sizeBytes, endsAt] = [endsAt, longSizeBytes, endsAt + longSizeBytes];
    if (bytes.length < endsAt) return null;
    size = numberAt(bytes, { atByte: sizeAt, sizeBytes, isLittleEndian });
  }
  return {
    name: String.fromCharCode(...bytes.subarray(nameAt, nameAt + nameBytes)),
    headerAt,
    sizeAt: headerAt + sizeAt,
    sizeBytes,
    contentByte: headerAt + endsAt,
    statedBytes: Math.max(0, size - (family.countsHeader ? endsAt : 0)),
  };
}

export const readChunk = async (
  { sizeBytes, read }: PieceFile,
  headerAt: number,
  family: ChunkFamily,
): Promise<Chunk | null> =>
  chunkIn(await read(headerAt, Math.min(sizeBytes, headerAt + headerBytes)), headerAt, family);

/** The offset of the next chunk. */
export const nextChunkAt = ({ contentByte, statedBytes }: Chunk, { alignedTo }: ChunkFamily): number =>
  Math.ceil((contentByte + statedBytes) / alignedTo) * alignedTo;

/** What a size of 32 bits counts up to before it starts at 0 again. */
const wrapBytes = 2 ** 32;
/** Fewer bytes at the end of a file are no sound worth another copy of it. */
const minRestBytes = 256;
/** Tags that other programs put behind everything. */
const tagNames: ReadonlySet<string> = new Set(['TAG', 'ID3', 'APE', 'LYR']);

/** Whether a chunk or a tag begins at an offset: a name, and a size that ends within the file. */
async function isChunkAt(file: PieceFile, atByte: number, family: ChunkFamily): Promise<boolean> {
  const bytes = await file.read(atByte, Math.min(file.sizeBytes, atByte + headerBytes));
  if (tagNames.has(String.fromCharCode(...bytes.subarray(0, 3)))) return true;
  const chunk = chunkIn(bytes, atByte, family);
  return (
    chunk !== null && family.name.test(chunk.name) && chunk.contentByte + chunk.statedBytes <= file.sizeBytes
  );
}

const pieceBytes = 2 ** 15;

function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes));
  return text;
}

/** Where the chunks begin that fill the file up to its end; its end if there are none. */
async function trailingChunksAt(file: PieceFile, fromByte: number, family: ChunkFamily): Promise<number> {
  const startByte = Math.max(fromByte, file.sizeBytes - family.maxTrailingBytes);
  const bytes = await file.read(startByte, file.sizeBytes);
  const names = Array.from(textOf(bytes).matchAll(family.trailingNames), ({ index }) => index);
  // The last chunk of a chunk ends where that one does.
  const starts = new Set([file.sizeBytes]);
  let endByte = file.sizeBytes;
  for (const nameAt of names.toReversed()) {
    const at = nameAt - (family.isSizeFirst ? family.sizeBytes : 0);
    const chunk = at < 0 ? null : chunkIn(bytes.subarray(at, at + headerBytes), startByte + at, family);
    if (chunk === null) continue;
    if (!starts.has(chunk.contentByte + chunk.statedBytes) && !starts.has(nextChunkAt(chunk, family)))
      continue;
    endByte = chunk.headerAt;
    starts.add(endByte);
  }
  return endByte;
}

/** Where the sound of a file ends. */
export interface EndOfSound {
  endByte: number;
  /** Whether its size says less than the file holds. */
  isCutShort: boolean;
}

/**
 * Finds where the sound of a file ends. A size in 32 bits starts at 0 again at 4 GiB, and recorders in the field write
 * others that say less than the file holds. If no chunk begins where the sound is said to end, it continues: to the
 * place that is some 4 GiB later if a chunk begins there, otherwise to the chunks at the end of the file. Rejects if
 * the file cannot be read.
 */
export async function endOfSound(
  file: PieceFile,
  chunk: Pick<Chunk, 'contentByte' | 'statedBytes' | 'sizeBytes'>,
  family: ChunkFamily,
): Promise<EndOfSound> {
  const statedEnd = chunk.contentByte + chunk.statedBytes;
  const { sizeBytes } = file;
  if (statedEnd >= sizeBytes) return { endByte: sizeBytes, isCutShort: false };
  for (let endByte = statedEnd; endByte + family.nameBytes <= sizeBytes; endByte += wrapBytes) {
    // Some programs leave out the bytes that align the next chunk.
    for (const atByte of new Set([Math.ceil(endByte / family.alignedTo) * family.alignedTo, endByte]))
      if (await isChunkAt(file, atByte, family)) return { endByte, isCutShort: endByte > statedEnd };
    if (chunk.sizeBytes === 8) break;
  }
  if (sizeBytes - statedEnd < minRestBytes) return { endByte: statedEnd, isCutShort: false };
  const endByte = await trailingChunksAt(file, statedEnd, family);
  return { endByte, isCutShort: endByte > statedEnd };
}
