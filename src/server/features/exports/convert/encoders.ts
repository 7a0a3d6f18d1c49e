import type { DownloadFormat } from '#contract/exports-api.ts';
import type { ChapterKind, Cut } from './chapters.ts';

export type ConvertedFormat = Exclude<DownloadFormat, 'original'>;

interface Sound { sampleRateHz: number; channels: number }

/** How one format is made. */
interface Encoder {
  extension: string;
  mediaType: string;
  /** What ffmpeg is told behind its inputs. */
  output: readonly string[];
  chapters: ChapterKind;
}

export const encoders: Record<ConvertedFormat, Encoder> = {
  // The header is written here: ffmpeg cannot go back in a stream to say how long it was.
  wav: { extension: 'wav', mediaType: 'audio/wav', output: ['-c:a', 'pcm_s16le', '-f', 's16le'], chapters: null },
  flac: { extension: 'flac', mediaType: 'audio/flac', output: ['-c:a', 'flac', '-sample_fmt', 's16', '-f', 'flac'], chapters: 'comments' },
  // A constant bitrate: without a header that tells the length players count on it.
  mp3: { extension: 'mp3', mediaType: 'audio/mpeg', output: ['-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-id3v2_version', '3', '-f', 'mp3'], chapters: 'own' },
  m4a: { extension: 'm4a', mediaType: 'audio/mp4', output: ['-c:a', 'aac', '-b:a', '128k', '-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-f', 'ipod'], chapters: 'own' },
  opus: { extension: 'opus', mediaType: 'audio/ogg; codecs=opus', output: ['-c:a', 'libopus', '-b:a', '96k', '-page_duration', '200000', '-f', 'ogg'], chapters: 'comments' },
};

/** Bytes of one sample of 16 bits. */
const sampleBytes = 2;
const headerBytes = 44;
const largestWavBytes = 0xffff_ffff;

/** How many frames a cut has: what WAV and FLAC say of themselves before the first of them. */
export const framesOf = ({ fromMs, toMs }: Cut, { sampleRateHz }: Pick<Sound, 'sampleRateHz'>): number => Math.round(((toMs - fromMs) * sampleRateHz) / 1000);

/** How long the WAV file of that many frames is; null where its header could not say so. */
export function wavSizeOf(frames: number, { channels }: Pick<Sound, 'channels'>): number | null {
  const sizeBytes = headerBytes + frames * channels * sampleBytes;
  return sizeBytes - 8 > largestWavBytes ? null : sizeBytes;
}

/** The header of a WAV file of 16-bit samples. */
export function wavHeader(frames: number, { sampleRateHz, channels }: Sound): Buffer {
  const dataBytes = frames * channels * sampleBytes;
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * channels * sampleBytes, 28);
  header.writeUInt16LE(channels * sampleBytes, 32);
  header.writeUInt16LE(sampleBytes * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

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
