import { isFromFile, isoTime, recordedDate, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { DownloadFormat } from '#contract/exports-api.ts';
import type { SampleDepth } from '#server/processes/ffmpeg/probe-sound.ts';
import type { ChapterKind, Cut } from './chapters.ts';

export type ConvertedFormat = Exclude<DownloadFormat, 'original'>;

/** The properties of a conversion's output. */
export interface ConvertedSound {
  sampleRateHz: number;
  channels: number;
  /** The stated loudspeakers; null if none are stated. */
  layout: string | null;
  /** ffmpeg's filters that mix the channels of the source; null if all are converted. */
  channelFilter: string | null;
  /** ffmpeg's filter for floating-point samples; null if the source has none. */
  firstFilter: string | null;
  depth: SampleDepth;
}

/** How a format is encoded. */
interface Encoder {
  extension: string;
  mediaType: string;
  /** ffmpeg's options for the output. */
  output: (depth: SampleDepth) => readonly string[];
  chapters: ChapterKind;
}

export const encoders: Record<ConvertedFormat, Encoder> = {
  // The header is written by this server, because ffmpeg can't seek back in a stream to insert the length.
  wav: {
    extension: 'wav',
    mediaType: 'audio/wav',
    output: (depth) => ['-c:a', `pcm_${depth}le`, '-f', `${depth}le`],
    chapters: null,
  },
  // ffmpeg's encoder makes 24-bit FLAC from 32-bit samples.
  flac: {
    extension: 'flac',
    mediaType: 'audio/flac',
    output: (depth) => ['-c:a', 'flac', '-sample_fmt', depth === 's16' ? 's16' : 's32', '-f', 'flac'],
    chapters: 'comments',
  },
  // A constant bitrate, because players calculate the duration of a file without a Xing header from it.
  mp3: {
    extension: 'mp3',
    mediaType: 'audio/mpeg',
    output: () => [
      '-c:a',
      'libmp3lame',
      '-b:a',
      '128k',
      '-write_xing',
      '0',
      '-id3v2_version',
      '3',
      '-f',
      'mp3',
    ],
    chapters: 'own',
  },
  // One fragment per ten seconds. Otherwise ffmpeg would hold all of the sound until the end.
  m4a: {
    extension: 'm4a',
    mediaType: 'audio/mp4',
    output: () => [
      '-c:a',
      'aac',
      '-b:a',
      '128k',
      '-movflags',
      '+empty_moov+default_base_moof',
      '-frag_duration',
      '10000000',
      '-f',
      'ipod',
    ],
    chapters: 'own',
  },
  opus: {
    extension: 'opus',
    mediaType: 'audio/ogg; codecs=opus',
    output: () => ['-c:a', 'libopus', '-b:a', '96k', '-page_duration', '200000', '-f', 'ogg'],
    chapters: 'comments',
  },
};

/** The number of frames in a cut, which WAV and FLAC headers state. */
export const framesOf = (
  { fromMs, toMs }: Cut,
  { sampleRateHz }: Pick<ConvertedSound, 'sampleRateHz'>,
): number => Math.round(((toMs - fromMs) * sampleRateHz) / 1000);

/**
 * ID3v2.3 has fields for year and day. ffmpeg omits the day if a time follows it. The date of an imported file is left
 * out, because no tag can say that it is one.
 */
export function taggedDate(format: ConvertedFormat, time: RecordedTime): string | null {
  if (isFromFile(time)) return null;
  return format === 'mp3' ? recordedDate(time) : isoTime(time);
}
