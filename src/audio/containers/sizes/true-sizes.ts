import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { type ChunkFamily, familyBytes, familyOf } from './chunk-families.ts';
import { type Chunk, readChunk, endOfSound, nextChunkAt } from './end-of-sound.ts';
import { numberAt, type SizeField } from './size-field.ts';

/** Limit for files made to waste time. */
const maxChunks = 1000;
/** Recorders write some kilobytes before the sound; pictures have some megabytes. */
const maxHeadBytes = 2 ** 22;
/** The size of a whole file is within so many bytes. */
const maxWholeBytes = 24;
const maxSize32 = 2 ** 32 - 1;

/** Writes a number, or the largest that fits. */
function writeNumber(
  bytes: Uint8Array,
  { atByte, sizeBytes, isLittleEndian }: SizeField,
  value: number,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + atByte, sizeBytes);
  if (sizeBytes === 4) view.setUint32(0, Math.min(value, maxSize32), isLittleEndian);
  else view.setBigUint64(0, BigInt(value), isLittleEndian);
}

/** RF64 and BW64 state the size of the sound in `ds64`, behind that of the file. */
async function withLongSize(
  { read }: PieceFile,
  { chunk, ds64 }: { chunk: Chunk; ds64: Chunk },
): Promise<Chunk> {
  const sizeAt = ds64.contentByte + 8;
  const field = { atByte: 0, sizeBytes: 8, isLittleEndian: true } as const;
  return { ...chunk, sizeAt, sizeBytes: 8, statedBytes: numberAt(await read(sizeAt, sizeAt + 8), field) };
}

/** Finds the chunk with the sound. Null if there is none near the start, or if tables say where the sound is. */
async function soundChunkOf(file: PieceFile, family: ChunkFamily, has64Bits: boolean): Promise<Chunk | null> {
  let ds64: Chunk | null = null;
  let headerAt = family.firstChunkByte;
  for (let count = 0; count < maxChunks && headerAt < maxHeadBytes; count += 1) {
    const chunk = await readChunk(file, headerAt, family);
    if (chunk === null || chunk.name === 'moov') return null;
    if (chunk.name === 'ds64') ds64 = chunk;
    if (family.soundName.test(chunk.name)) {
      if (!has64Bits) return chunk;
      return ds64 === null ? null : withLongSize(file, { chunk, ds64 });
    }
    headerAt = nextChunkAt(chunk, family);
  }
  return null;
}

const mdatHeaderBytes = 8;
const longMdatHeaderBytes = 16;

/**
 * An MP4 file's bytes before its sound, with a size of 64 bits. That takes eight bytes more, and tables count from the
 * start of the file: what is before the sound is replaced by free space. Null if there is too little of it.
 */
function longMp4Head({ headerAt, contentByte }: Chunk, contentBytes: number): Uint8Array | null {
  const freeBytes = headerAt - mdatHeaderBytes;
  if (freeBytes < 0 || (freeBytes > 0 && freeBytes < mdatHeaderBytes)) return null;
  const head = new Uint8Array(contentByte);
  const view = new DataView(head.buffer);
  const write = (atByte: number, size: number, name: string): void => {
    view.setUint32(atByte, size);
    head.set(
      Array.from(name, (letter) => letter.charCodeAt(0)),
      atByte + 4,
    );
  };
  if (freeBytes > 0) write(0, freeBytes, 'free');
  write(freeBytes, 1, 'mdat');
  view.setBigUint64(freeBytes + mdatHeaderBytes, BigInt(contentBytes + longMdatHeaderBytes));
  return head;
}

/** Where a file states its own size, if readers stop there. */
const wholeFieldOf = ({
  whole,
  sizeBytes,
  isLittleEndian,
}: ChunkFamily): (SizeField & { fromByte: number }) | null =>
  whole === null ? null : { ...whole, sizeBytes, isLittleEndian };

/** Whether the size of a file says less than where its sound ends. */
async function isFileCutShort({ read }: PieceFile, family: ChunkFamily, endByte: number): Promise<boolean> {
  const field = wholeFieldOf(family);
  return field !== null && field.fromByte + numberAt(await read(0, maxWholeBytes), field) < endByte;
}

/** The bytes before the sound, with the sizes of a file whose sound ends at `endByte`. */
async function mendedHead(
  { sizeBytes, read }: PieceFile,
  family: ChunkFamily,
  { chunk, endByte }: { chunk: Chunk; endByte: number },
): Promise<Uint8Array | null> {
  const contentBytes = endByte - chunk.contentByte;
  const countedBytes = contentBytes + (family.countsHeader ? chunk.contentByte - chunk.headerAt : 0);
  if (family.isSizeFirst && chunk.sizeBytes === 4 && countedBytes > maxSize32)
    return longMp4Head(chunk, contentBytes);
  const head = Uint8Array.from(await read(0, chunk.contentByte));
  const { isLittleEndian } = family;
  writeNumber(head, { atByte: chunk.sizeAt, sizeBytes: chunk.sizeBytes, isLittleEndian }, countedBytes);
  const whole = wholeFieldOf(family);
  if (whole !== null) writeNumber(head, whole, sizeBytes - whole.fromByte);
  return head;
}

/**
 * The bytes before the sound of a file, with the sizes that it really has; null if readers find all of its sound by
 * those that it states. Readers believe a size that is too small, and some reject one that is too large. Rejects if
 * the file cannot be read.
 */
export async function headWithTrueSizes({ sizeBytes, read }: PieceFile): Promise<Uint8Array | null> {
  const file: PieceFile = {
    sizeBytes,
    read: (startByte, endByte) => read(Math.min(startByte, sizeBytes), Math.min(endByte, sizeBytes)),
  };
  const start = await file.read(0, familyBytes);
  const family = familyOf(start);
  if (family === null) return null;
  const chunk = await soundChunkOf(file, family, /^(?:RF64|BW64)/.test(String.fromCharCode(...start)));
  if (chunk === null) return null;
  const { endByte, isCutShort } = await endOfSound(file, chunk, family);
  const isBeyondEnd = chunk.sizeBytes === 8 && chunk.contentByte + chunk.statedBytes > endByte;
  const isWrong = isCutShort || isBeyondEnd || (await isFileCutShort(file, family, endByte));
  return isWrong ? mendedHead(file, family, { chunk, endByte }) : null;
}
