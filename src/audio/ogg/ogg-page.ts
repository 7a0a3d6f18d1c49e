import { maxSoundMs, wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { oggCrc32 } from './ogg-crc.ts';
import { opusGranuleRateHz } from './opus-packet.ts';

const capturePattern = 0x4f67_6753; // "OggS"
const fixedHeaderBytes = 27;
const maxSegmentTableLength = 255;
const crcOffsetBytes = 22;
/** A page whose position is beyond this, or negative, is wrong. */
const maxGranule = (maxSoundMs / 1000) * opusGranuleRateHz;
const flag = { continued: 1, first: 2, last: 4 } as const;

/** The longest possible page: header, 255 lacing values, 255 × 255 bytes of payload (RFC 3533 §6). */
export const maxOggPageBytes = fixedHeaderBytes + maxSegmentTableLength + maxSegmentTableLength * 255;

/** The header of a page (RFC 3533 §6). */
export interface OggPageInfo {
  /** At 48 kHz for Opus (RFC 7845 §4); −1 if no packet ends on the page, or the value is impossible. */
  granulePosition: number;
  serialNumber: number;
  sequenceNumber: number;
  startsStream: boolean;
  endsStream: boolean;
}

export interface OggPage extends OggPageInfo {
  sizeBytes: number;
  /** True if the first packet started on an earlier page. */
  continuesPacket: boolean;
  /** The segment table: a value below 255 ends a packet. */
  lacing: Uint8Array;
  /** A view into the bytes that were read, not a copy. */
  payload: Uint8Array;
}

/** The size of a page with these whole packets (RFC 3533 §6). */
export const oggPageBytes = (packets: readonly Uint8Array[]): number =>
  packets.reduce((sum, { length }) => sum + Math.floor(length / 255) + 1 + length, fixedHeaderBytes);

/**
 * Writes one page of whole packets (RFC 3533 §6).
 * @throws RangeError if the packets need more than 255 lacing values
 */
export function writeOggPage(page: OggPageInfo & { packets: readonly Uint8Array[] }): Uint8Array {
  const lacing = page.packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  if (lacing.length > maxSegmentTableLength)
    throw new RangeError(`an Ogg page holds 255 segments, received ${lacing.length}`);
  const payloadBytes = page.packets.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(fixedHeaderBytes + lacing.length + payloadBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, capturePattern);
  view.setUint8(5, (page.startsStream ? flag.first : 0) | (page.endsStream ? flag.last : 0));
  view.setBigInt64(6, BigInt(page.granulePosition), true);
  view.setUint32(14, page.serialNumber, true);
  view.setUint32(18, page.sequenceNumber, true);
  view.setUint8(26, lacing.length);
  bytes.set(lacing, fixedHeaderBytes);
  let offsetBytes = fixedHeaderBytes + lacing.length;
  for (const packet of page.packets) {
    bytes.set(packet, offsetBytes);
    offsetBytes += packet.length;
  }
  view.setUint32(crcOffsetBytes, oggCrc32(bytes), true);
  return bytes;
}

/**
 * Writes some segments of a page as a page of its own, for example without a packet that continues on the next one
 * (RFC 3533 §6).
 */
export function sliceOggPage(
  page: OggPage,
  slice: { fromSegment: number; untilSegment: number; granulePosition: number },
): Uint8Array {
  const sum = (lacing: Uint8Array): number => lacing.reduce((bytes, value) => bytes + value, 0);
  const lacing = page.lacing.subarray(slice.fromSegment, slice.untilSegment);
  const skippedBytes = sum(page.lacing.subarray(0, slice.fromSegment));
  const headerBytes = fixedHeaderBytes + lacing.length;
  const bytes = new Uint8Array(headerBytes + sum(lacing));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, capturePattern);
  view.setUint8(5, page.continuesPacket && slice.fromSegment === 0 ? flag.continued : 0);
  view.setUint8(26, lacing.length);
  bytes.set(lacing, fixedHeaderBytes);
  bytes.set(page.payload.subarray(skippedBytes, skippedBytes + sum(lacing)), headerBytes);
  rewriteOggPage(bytes, { ...page, granulePosition: slice.granulePosition, endsStream: false });
  return bytes;
}

/** Rewrites a whole page in place for another stream, including its checksum (RFC 3533 §6). */
export function rewriteOggPage(
  page: Uint8Array,
  { granulePosition, serialNumber, sequenceNumber, endsStream }: Omit<OggPageInfo, 'startsStream'>,
): void {
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  view.setUint8(5, (view.getUint8(5) & flag.continued) | (endsStream ? flag.last : 0));
  view.setBigInt64(6, BigInt(granulePosition), true);
  view.setUint32(14, serialNumber, true);
  view.setUint32(18, sequenceNumber, true);
  resealOggPage(page);
}

/** Updates the checksum of a whole page in place (RFC 3533 §6 field 7). */
export function resealOggPage(page: Uint8Array): void {
  new DataView(page.buffer, page.byteOffset, page.length).setUint32(crcOffsetBytes, crcOfPage(page), true);
}

/** Reads the page at `offsetBytes`; null if no page starts there, it is incomplete, or its CRC is wrong. */
export function readOggPage(bytes: Uint8Array, offsetBytes = 0): OggPage | null {
  const leftBytes = bytes.length - offsetBytes;
  if (leftBytes < fixedHeaderBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offsetBytes, leftBytes);
  if (view.getUint32(0) !== capturePattern || view.getUint8(4) !== 0) return null;
  const headerBytes = fixedHeaderBytes + view.getUint8(26);
  if (leftBytes < headerBytes) return null;
  const lacing = bytes.subarray(offsetBytes + fixedHeaderBytes, offsetBytes + headerBytes);
  const sizeBytes = lacing.reduce((sum, value) => sum + value, headerBytes);
  if (leftBytes < sizeBytes) return null;
  const page = bytes.subarray(offsetBytes, offsetBytes + sizeBytes);
  if (crcOfPage(page) !== view.getUint32(crcOffsetBytes, true)) return null;
  const flags = view.getUint8(5);
  return {
    sizeBytes,
    granulePosition: wholeNumberWithin(view.getBigInt64(6, true), { max: maxGranule }) ?? -1,
    serialNumber: view.getUint32(14, true),
    sequenceNumber: view.getUint32(18, true),
    startsStream: (flags & flag.first) !== 0,
    endsStream: (flags & flag.last) !== 0,
    continuesPacket: (flags & flag.continued) !== 0,
    lacing,
    payload: page.subarray(headerBytes),
  };
}

/** The packets on a page, as views; the last one is incomplete if it continues on the next page. */
export function packetsOf(page: OggPage): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let fromBytes = 0;
  let toBytes = 0;
  for (const value of page.lacing) {
    toBytes += value;
    if (value === 255) continue;
    packets.push(page.payload.subarray(fromBytes, toBytes));
    fromBytes = toBytes;
  }
  if (toBytes > fromBytes) packets.push(page.payload.subarray(fromBytes, toBytes));
  return packets;
}

const fourZeros = new Uint8Array(4);

/** RFC 3533 §6 field 7: the CRC field itself counts as zero. */
function crcOfPage(page: Uint8Array): number {
  const before = oggCrc32(page.subarray(0, crcOffsetBytes));
  return oggCrc32(page.subarray(crcOffsetBytes + 4), oggCrc32(fourZeros, before));
}
