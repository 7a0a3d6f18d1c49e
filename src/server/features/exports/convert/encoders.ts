import type { DownloadFormat } from '#contract/exports-api.ts';
import type { SampleDepth } from '../../../processes/ffmpeg/probe-sound.ts';
import type { ChapterKind, Cut } from './chapters.ts';

export type ConvertedFormat = Exclude<DownloadFormat, 'original'>;

/** What comes out of a conversion. */
export interface ConvertedSound { sampleRateHz: number; channels: number; depth: SampleDepth }

/** How one format is made. */
interface Encoder {
  extension: string;
  mediaType: string;
  /** ffmpeg's options for the output. */
  output: (depth: SampleDepth) => readonly string[];
  chapters: ChapterKind;
}

export const encoders: Record<ConvertedFormat, Encoder> = {
  // The header is written here: ffmpeg cannot go back in a stream to say how long it was.
  wav: { extension: 'wav', mediaType: 'audio/wav', output: (depth) => ['-c:a', `pcm_${depth}le`, '-f', `${depth}le`], chapters: null },
  // ffmpeg's encoder makes 24 bits of samples of 32.
  flac: { extension: 'flac', mediaType: 'audio/flac', output: (depth) => ['-c:a', 'flac', '-sample_fmt', depth === 's16' ? 's16' : 's32', '-f', 'flac'], chapters: 'comments' },
  // A constant bitrate: without a header that tells the length players count on it.
  mp3: { extension: 'mp3', mediaType: 'audio/mpeg', output: () => ['-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-id3v2_version', '3', '-f', 'mp3'], chapters: 'own' },
  // A fragment every ten seconds: without it all of the sound would wait in ffmpeg until the end.
  m4a: { extension: 'm4a', mediaType: 'audio/mp4', output: () => ['-c:a', 'aac', '-b:a', '128k', '-movflags', '+empty_moov+default_base_moof', '-frag_duration', '10000000', '-f', 'ipod'], chapters: 'own' },
  opus: { extension: 'opus', mediaType: 'audio/ogg; codecs=opus', output: () => ['-c:a', 'libopus', '-b:a', '96k', '-page_duration', '200000', '-f', 'ogg'], chapters: 'comments' },
};

/** How many frames a cut has: what WAV and FLAC say of themselves before the first of them. */
export const framesOf = ({ fromMs, toMs }: Cut, { sampleRateHz }: Pick<ConvertedSound, 'sampleRateHz'>): number => Math.round(((toMs - fromMs) * sampleRateHz) / 1000);

/** Where STREAMINFO says how many samples there are: the low half of a byte and four more (RFC 9639 §8.2). */
const flacTotalAt = 21;

/** Says in the first bytes of a FLAC file how long it is, which a stream leaves open. Shorter beginnings and other bytes stay as they are. */
export function tellFlacLength(start: Buffer, frames: number): Buffer {
  if (start.length < flacTotalAt + 5 || start.toString('latin1', 0, 4) !== 'fLaC') return start;
  const told = Buffer.from(start);
  told.writeUInt8((told.readUInt8(flacTotalAt) & 0xf0) | (Math.floor(frames / 2 ** 32) & 0x0f), flacTotalAt);
  told.writeUInt32BE(frames >>> 0, flacTotalAt + 1);
  return told;
}

/** Where the fields of an `mvhd` box are, from its type on: version, timescale, duration (ISO 14496-12 §8.2.2, version 0). */
const mvhd = { versionAt: 4, timescaleAt: 16, durationAt: 20, endAt: 24 };

/** Says in the index of an MP4 file in fragments how long it is, which a stream leaves open. Shorter beginnings and other bytes stay as they are. */
export function tellMp4Length(start: Buffer, lengthMs: number): Buffer {
  const at = start.indexOf('mvhd', 0, 'latin1');
  if (at < 0 || start.length < at + mvhd.endAt || start.readUInt8(at + mvhd.versionAt) !== 0) return start;
  const told = Buffer.from(start);
  told.writeUInt32BE(Math.round((lengthMs * told.readUInt32BE(at + mvhd.timescaleAt)) / 1000) >>> 0, at + mvhd.durationAt);
  return told;
}
