import type { PieceFile } from './mp4-boxes.ts';

/** The header of a frame of MPEG audio, layer III. */
export interface Mp3Frame {
  sizeBytes: number;
  bitRateKbps: number;
  sampleRateHz: number;
  isMpeg1: boolean;
  isMono: boolean;
}

/** Limit for files made to waste time. */
const tagsAtMost = 100;
/** There may be padding between tags and the first frame. */
export const firstSearchBytes = 64 * 1024;
/** Two of the longest possible frames, and the rest of the one in which the piece starts. */
const pieceBytes = 3 * 1441 + 4;
const pieces = 64;
const ratesMpeg1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const ratesMpeg2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** Indexed by the header's two version bits: MPEG-2.5, reserved, MPEG-2, MPEG-1. */
const versions = [
  { isMpeg1: false, bitRatesKbps: ratesMpeg2, sampleRatesHz: [11_025, 12_000, 8000], sizeFactor: 72_000 },
  null,
  { isMpeg1: false, bitRatesKbps: ratesMpeg2, sampleRatesHz: [22_050, 24_000, 16_000], sizeFactor: 72_000 },
  { isMpeg1: true, bitRatesKbps: ratesMpeg1, sampleRatesHz: [44_100, 48_000, 32_000], sizeFactor: 144_000 },
];

/** Reads the header of a frame of MPEG audio, layer III (ISO/IEC 11172-3 §2.4.1.3); null if no frame starts here. */
export function frameAt(bytes: Uint8Array, at: number): Mp3Frame | null {
  if (at + 4 > bytes.length) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0);
  // Eleven set bits, then the version and layer III.
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

/** Finds the first frame that is followed by a similar one, because bytes can look like a header by chance. */
export function findFrame(bytes: Uint8Array): { frame: Mp3Frame; at: number } | null {
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    const frame = frameAt(bytes, at);
    const next = frame && frameAt(bytes, at + frame.sizeBytes);
    if (frame && next?.sampleRateHz === frame.sampleRateHz) return { frame, at };
  }
  return null;
}

/** The end of the tags before the sound (ID3v2.4 §3.1). */
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
 * Whether a separate frame, after the space for side information, declares a variable bit rate (Xing, VBRI). Its
 * table has a hundred entries, so players that use it are wrong by half a minute in a file of hours. `Info` at the
 * same offset declares a constant rate.
 */
function saysItVaries(bytes: Uint8Array, { isMpeg1, isMono }: Mp3Frame): boolean {
  const sideBytes = isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const nameAt = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  // A two-byte checksum may follow the header.
  return [4 + sideBytes, 6 + sideBytes].some((at) => nameAt(at) === 'Xing') || nameAt(36) === 'VBRI';
}

/**
 * Whether players can only estimate the offset of a moment in an MP3 file, because its bit rate varies or is
 * declared variable. Samples a few offsets; false for every other file. Rejects if the file cannot be read.
 */
export async function isMp3SoughtRoughly(file: PieceFile): Promise<boolean> {
  const read: PieceFile['read'] = (startByte, endByteExclusive) =>
    file.read(Math.min(startByte, file.sizeBytes), Math.min(endByteExclusive, file.sizeBytes));
  const startsAt = await afterTags({ ...file, read });
  const head = await read(startsAt, startsAt + firstSearchBytes);
  const first = findFrame(head);
  if (first === null) return false;
  if (saysItVaries(head.subarray(first.at), first.frame)) return true;
  // The first frame may be the encoder's information instead of sound, with a rate of its own.
  const { bitRateKbps } = frameAt(head, first.at + first.frame.sizeBytes) ?? first.frame;
  for (let piece = 1; piece < pieces; piece += 1) {
    const at = Math.floor(startsAt + ((file.sizeBytes - startsAt) * piece) / pieces);
    const found = findFrame(await read(at, at + pieceBytes));
    if (found?.frame.sampleRateHz === first.frame.sampleRateHz && found.frame.bitRateKbps !== bitRateKbps)
      return true;
  }
  return false;
}
