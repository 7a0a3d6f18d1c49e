import { speakerMask } from '#server/processes/ffmpeg/mixed-channels.ts';
import type { ConvertedSound } from './encoders.ts';

const maxWavBytes = 0xffff_ffff;
const pcmTag = 1;
const floatTag = 3;
const extensibleTag = 0xfffe;
/** The rest of the media subtype GUID after the format tag (KSDATAFORMAT_SUBTYPE). */
const subtypeTail = Buffer.from('000000001000800000aa00389b71', 'hex');
const bytesPerSample = ({ depth }: Pick<ConvertedSound, 'depth'>): number => Number(depth.slice(1)) / 8;

/** More than 16 bits or two channels require WAVEFORMATEXTENSIBLE, which states the channel mask. */
const isExtensible = ({ channels, depth }: ConvertedSound): boolean =>
  channels > 2 || depth === 's24' || depth === 's32';

function formatOf(sound: ConvertedSound): Buffer {
  const { sampleRateHz, channels, depth } = sound;
  const sampleBytes = bytesPerSample(sound);
  const tag = depth === 'f32' ? floatTag : pcmTag;
  const format = Buffer.alloc(isExtensible(sound) ? 40 : 16);
  format.writeUInt16LE(isExtensible(sound) ? extensibleTag : tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRateHz, 4);
  format.writeUInt32LE(sampleRateHz * channels * sampleBytes, 8);
  format.writeUInt16LE(channels * sampleBytes, 12);
  format.writeUInt16LE(sampleBytes * 8, 14);
  if (!isExtensible(sound)) return format;
  format.writeUInt16LE(22, 16);
  format.writeUInt16LE(sampleBytes * 8, 18);
  format.writeUInt32LE(speakerMask(sound), 20);
  format.writeUInt16LE(tag, 24);
  subtypeTail.copy(format, 26);
  return format;
}

const dataBytesOf = (frames: number, sound: ConvertedSound): number =>
  frames * sound.channels * bytesPerSample(sound);
const headerBytesOf = (sound: ConvertedSound): number => 28 + formatOf(sound).length;

/** The size of a WAV file with this many frames; null if its header can't state it. */
export function wavSizeOf(frames: number, sound: ConvertedSound): number | null {
  const sizeBytes = headerBytesOf(sound) + dataBytesOf(frames, sound);
  return sizeBytes - 8 > maxWavBytes ? null : sizeBytes;
}

export function wavHeader(frames: number, sound: ConvertedSound): Buffer {
  const format = formatOf(sound);
  const dataBytes = dataBytesOf(frames, sound);
  const header = Buffer.alloc(28 + format.length);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(header.length - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(format.length, 16);
  format.copy(header, 20);
  header.write('data', 20 + format.length, 'latin1');
  header.writeUInt32LE(dataBytes, 24 + format.length);
  return header;
}
