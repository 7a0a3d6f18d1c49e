import type { Cut } from './chapters.ts';
import { type ConvertedFormat, type ConvertedSound, framesOf } from './encoders.ts';
import { wavHeader } from './wav-header.ts';

/** Where STREAMINFO says how many samples there are: the low half of a byte and four more (RFC 9639 §8.2). */
const flacTotalAt = 21;

/**
 * Says in the first bytes of a FLAC file how long it is, which a stream leaves open. Shorter beginnings and
 * other bytes stay as they are.
 */
function withFlacLength(start: Buffer, frames: number): Buffer {
  if (start.length < flacTotalAt + 5 || start.toString('latin1', 0, 4) !== 'fLaC') return start;
  const header = Buffer.from(start);
  header.writeUInt8(
    (header.readUInt8(flacTotalAt) & 0xf0) | (Math.floor(frames / 2 ** 32) & 0x0f),
    flacTotalAt,
  );
  header.writeUInt32BE(frames >>> 0, flacTotalAt + 1);
  return header;
}

/**
 * Where the fields of an `mvhd` box are, from its type on: version, timescale, duration (ISO 14496-12 §8.2.2,
 * version 0).
 */
const mvhd = { versionAt: 4, timescaleAt: 16, durationAt: 20, endAt: 24 };

/**
 * Says in the index of an MP4 file in fragments how long it is, which a stream leaves open. Shorter
 * beginnings and other bytes stay as they are.
 */
function withMp4Length(start: Buffer, lengthMs: number): Buffer {
  const at = start.indexOf('mvhd', 0, 'latin1');
  if (at < 0 || start.length < at + mvhd.endAt || start.readUInt8(at + mvhd.versionAt) !== 0) return start;
  const header = Buffer.from(start);
  header.writeUInt32BE(
    Math.round((lengthMs * header.readUInt32BE(at + mvhd.timescaleAt)) / 1000) >>> 0,
    at + mvhd.durationAt,
  );
  return header;
}

/** What a header has to know before the sound is there. */
export interface Lengths {
  format: ConvertedFormat;
  cut: Cut;
  sound: ConvertedSound;
}

function withLength({ format, cut, sound }: Lengths, start: Buffer): Buffer {
  if (format === 'wav') return Buffer.concat([wavHeader(framesOf(cut, sound), sound), start]);
  if (format === 'm4a') return withMp4Length(start, cut.toMs - cut.fromMs);
  return format === 'flac' ? withFlacLength(start, framesOf(cut, sound)) : start;
}

/** Within so many bytes the length stands in each format: `ftyp` and the beginning of `moov` are the most. */
const headerBytes = 1024;

/**
 * The bytes of an encoder, with the length in their header. A pipe gives them in pieces of any size, and a
 * busy machine the first bytes alone: the beginning is put together before anything is written into it.
 */
export async function* statingLength(
  lengths: Lengths,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let start: Buffer[] | null = [];
  let startBytes = 0;
  for await (const piece of pieces) {
    if (start === null) {
      yield piece;
      continue;
    }
    start.push(piece);
    startBytes += piece.length;
    if (startBytes < headerBytes) continue;
    yield withLength(lengths, Buffer.concat(start));
    start = null;
  }
  if (start !== null && startBytes > 0) yield withLength(lengths, Buffer.concat(start));
}
