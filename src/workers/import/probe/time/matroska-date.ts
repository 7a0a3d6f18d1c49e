import type { PieceFile } from '#audio/containers/mp4-boxes.ts';

/** Ids of elements, with their length markers (RFC 9559 §5.1). */
const ids = { ebml: 0x1a45dfa3, segment: 0x18538067, info: 0x1549a966, cluster: 0x1f43b675, dateUtc: 0x4461 } as const;
/** Matroska counts from 2001-01-01 (RFC 9559 §5.1.2.11). */
const epochMs = Date.UTC(2001, 0, 1);
/** `Info` stands before the sound. */
const mostElements = 200;
const headerBytes = 12;

interface Element { id: number; contentByte: number; endByte: number }

/** How many bytes a number of variable length has, by the zeros before its first one (RFC 8794 §4). */
const lengthOf = (first: number): number => Math.clz32(first) - 23;

async function elementAt({ read }: PieceFile, atByte: number, endByte: number): Promise<Element | null> {
  const bytes = await read(atByte, Math.min(endByte, atByte + headerBytes));
  const idBytes = lengthOf(bytes[0] ?? 0);
  const sizeBytes = lengthOf(bytes[idBytes] ?? 0);
  if (idBytes > 4 || sizeBytes > 8 || bytes.length < idBytes + sizeBytes) return null;
  const id = bytes.subarray(0, idBytes).reduce((number, byte) => number * 256 + byte, 0);
  const size = bytes.subarray(idBytes, idBytes + sizeBytes).reduce((number, byte, index) => number * 256 + (index === 0 ? byte & (0xff >> sizeBytes) : byte), 0);
  const contentByte = atByte + idBytes + sizeBytes;
  // All ones: the length is not known, as of streams.
  const isUnknown = size === 2 ** (7 * sizeBytes) - 1;
  return { id, contentByte, endByte: isUnknown ? endByte : Math.min(endByte, contentByte + size) };
}

/** Nanoseconds in eight bytes. */
async function dateIn(file: PieceFile, { contentByte, endByte }: Element): Promise<number | null> {
  const bytes = await file.read(contentByte, contentByte + 8);
  if (bytes.length < 8 || endByte - contentByte !== 8) return null;
  return epochMs + Math.round(Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0)) / 1e6);
}

/** When a Matroska file states that it was made (`DateUTC`), in Unix milliseconds; null where it does not. */
export async function matroskaDateMs(file: PieceFile): Promise<number | null> {
  let [atByte, endByte] = [0, file.sizeBytes];
  for (let count = 0; count < mostElements && atByte < endByte; count += 1) {
    const element = await elementAt(file, atByte, endByte);
    if (element === null || element.id === ids.cluster) return null;
    if (element.id === ids.dateUtc) return dateIn(file, element);
    const isFolder = element.id === ids.segment || element.id === ids.info;
    if (isFolder) endByte = element.endByte;
    atByte = isFolder ? element.contentByte : element.endByte;
  }
  return null;
}
