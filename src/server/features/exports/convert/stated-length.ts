import type { Cut } from './chapters.ts';
import { type ConvertedFormat, type ConvertedSound, framesOf } from './encoders.ts';
import { wavHeader } from './wav-header.ts';

/** The position of the total sample count in STREAMINFO: the low half of a byte and the next four (RFC 9639 §8.2). */
const flacTotalAt = 21;

/**
 * Writes the length into the header of a FLAC file, which an encoder leaves empty in a stream. A shorter start, or
 * one of another format, is returned unchanged.
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
 * The fields of an `mvhd` box, relative to its type: version, timescale, duration (ISO 14496-12 §8.2.2, version
 * 0).
 */
const mvhd = { versionAt: 4, timescaleAt: 16, durationAt: 20, endAt: 24 };

/**
 * Writes the duration into the header of a fragmented MP4 file, which an encoder leaves empty in a stream. A
 * shorter start, or one of another format, is returned unchanged.
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

/** The lengths that headers state before the sound has been encoded. */
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

/** In every format the length is within this many bytes; `ftyp` and the start of `moov` need the most. */
const headerBytes = 1024;

/**
 * The output of an encoder with the length in its header. A pipe yields chunks of any size, and possibly very
 * small ones at first, so the start is collected before the header is changed.
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
