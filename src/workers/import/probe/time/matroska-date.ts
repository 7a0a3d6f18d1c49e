import { type EbmlElement, readEbmlElement } from '#audio/containers/ebml.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';

/** Element ids including their length marker (RFC 9559 §5.1). */
const ids = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  cluster: 0x1f43b675,
  dateUtc: 0x4461,
} as const;
/** Matroska counts from 2001-01-01 (RFC 9559 §5.1.2.11). */
const epochMs = Date.UTC(2001, 0, 1);
/** `Info` precedes the sound, so this many elements are enough. */
const maxElements = 200;

/** Reads eight bytes of nanoseconds. Returns Unix milliseconds. */
async function dateIn(file: PieceFile, { contentByte, endByte }: EbmlElement): Promise<number | null> {
  const bytes = await file.read(contentByte, contentByte + 8);
  if (bytes.length < 8 || endByte !== contentByte + 8) return null;
  return epochMs + Math.round(Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0)) / 1e6);
}

/** The creation time of a Matroska file (`DateUTC`) in Unix milliseconds; null if it states none. */
export async function matroskaDateMs(file: PieceFile): Promise<number | null> {
  let [atByte, endByte] = [0, file.sizeBytes];
  for (let count = 0; count < maxElements && atByte < endByte; count += 1) {
    const element = await readEbmlElement(file, atByte);
    if (element === null || element.id === ids.cluster) return null;
    if (element.id === ids.dateUtc) return dateIn(file, element);
    const isFolder = element.id === ids.segment || element.id === ids.info;
    const elementEndByte = Math.min(endByte, element.endByte ?? endByte);
    if (isFolder) endByte = elementEndByte;
    atByte = isFolder ? element.contentByte : elementEndByte;
  }
  return null;
}
