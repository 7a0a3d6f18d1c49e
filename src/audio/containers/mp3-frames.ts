import type { PieceFile } from './mp4-boxes.ts';

/** The header of a frame of MPEG sound, layer III. */
export interface Mp3Frame {
  sizeBytes: number;
  bitRateKbps: number;
  sampleRateHz: number;
  isMpeg1: boolean;
  isMono: boolean;
}

/** Of a file made to keep us busy. */
const tagsAtMost = 100;
/** Between tags and the first frame there may be padding. */
export const firstSearchBytes = 64 * 1024;
/** Two of the longest frames there can be, and the rest of the one in which the piece begins. */
const pieceBytes = 3 * 1441 + 4;
const pieces = 64;
const ratesMpeg1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const ratesMpeg2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** By the header's two bits: MPEG-2.5, one that is reserved, MPEG-2, MPEG-1. */
const versions = [
  { isMpeg1: false, bitRatesKbps: ratesMpeg2, sampleRatesHz: [11_025, 12_000, 8000], sizeFactor: 72_000 },
  null,
  { isMpeg1: false, bitRatesKbps: ratesMpeg2, sampleRatesHz: [22_050, 24_000, 16_000], sizeFactor: 72_000 },
  { isMpeg1: true, bitRatesKbps: ratesMpeg1, sampleRatesHz: [44_100, 48_000, 32_000], sizeFactor: 144_000 },
];

/**
 * A frame of MPEG sound, layer III, as its header tells (ISO/IEC 11172-3 §2.4.1.3); null where none begins.
 */
export function frameAt(bytes: Uint8Array, at: number): Mp3Frame | null {
  if (at + 4 > bytes.length) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
  // Eleven bits that are set, then the version and layer III.
  const version = (header & 0xffe6_0000) >>> 0 === 0xffe2_0000 ? versions[(header >>> 19) & 3] : null;
  if (!version) return null;
  const bitRateKbps = version.bitRatesKbps[(header >>> 12) & 15] ?? 0;
  const sampleRateHz = version.sampleRatesHz[(header >>> 10) & 3] ?? 0;
  if (bitRateKbps === 0 || sampleRateHz === 0) return null;
  const sizeBytes = Math.floor((version.sizeFactor * bitRateKbps) / sampleRateHz) + ((header >>> 9) & 1);
  return {
    bitRateKbps,
    sampleRateHz,
    sizeBytes,
    isMpeg1: version.isMpeg1,
    isMono: ((header >>> 6) & 3) === 3,
  };
}

/** The first frame that is followed by another one like it: what looks like a header by chance is not. */
export function findFrame(bytes: Uint8Array): { frame: Mp3Frame; at: number } | null {
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    const frame = frameAt(bytes, at);
    const next = frame && frameAt(bytes, at + frame.sizeBytes);
    if (frame && next?.sampleRateHz === frame.sampleRateHz) return { frame, at };
  }
  return null;
}

/** Where the tags in front of the sound end (ID3v2.4 §3.1). */
export async function afterTags({ read }: PieceFile): Promise<number> {
  for (let at = 0, tags = 0; ; tags += 1) {
    const head = await read(at, at + 10);
    if (head.length < 10 || String.fromCharCode(...head.subarray(0, 3)) !== 'ID3' || tags >= tagsAtMost)
      return at;
    const [flags = 0, ...size] = head.subarray(5);
    at += 10 + size.reduce((sum, seven) => sum * 128 + (seven & 0x7f), 0) + ((flags & 0x10) === 0 ? 0 : 10);
  }
}

/**
 * Whether a frame of its own, behind the room for side information, says that the rate varies (Xing, VBRI).
 * Its table has a hundred places, so players that trust it are wrong by half a minute in a file of hours.
 * `Info` in the same place says that the rate is steady.
 */
function saysItVaries(bytes: Uint8Array, { isMpeg1, isMono }: Mp3Frame): boolean {
  const sideBytes = isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const nameAt = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  // A checksum of two bytes may stand behind the header.
  return [4 + sideBytes, 6 + sideBytes].some((at) => nameAt(at) === 'Xing') || nameAt(36) === 'VBRI';
}

/**
 * Whether players can only guess where in an MP3 file a moment lies: its bit rate varies, or it says so.
 * Looks at a few places; false for every other file. Rejects where it cannot be read.
 */
export async function isMp3SoughtRoughly(file: PieceFile): Promise<boolean> {
  const read: PieceFile['read'] = (startByte, endByteExclusive) =>
    file.read(Math.min(startByte, file.sizeBytes), Math.min(endByteExclusive, file.sizeBytes));
  const startsAt = await afterTags({ ...file, read });
  const head = await read(startsAt, startsAt + firstSearchBytes);
  const first = findFrame(head);
  if (first === null) return false;
  if (saysItVaries(head.subarray(first.at), first.frame)) return true;
  // The first may be no sound but what the encoder says of the rest, with a rate of its own.
  const { bitRateKbps } = frameAt(head, first.at + first.frame.sizeBytes) ?? first.frame;
  for (let piece = 1; piece < pieces; piece += 1) {
    const at = Math.floor(startsAt + ((file.sizeBytes - startsAt) * piece) / pieces);
    const found = findFrame(await read(at, at + pieceBytes));
    if (found?.frame.sampleRateHz === first.frame.sampleRateHz && found.frame.bitRateKbps !== bitRateKbps)
      return true;
  }
  return false;
}
