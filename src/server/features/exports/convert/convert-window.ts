import type { Readable } from 'node:stream';
import { ProblemError } from '#server/http/problem.ts';
import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import type { OpenFfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import type { Chapter } from './chapters.ts';
import { convertedSound } from './chosen-sound.ts';
import { conversionHeaders } from './conversion-headers.ts';
import { type Conversion, convertAudio } from './convert-audio.ts';
import { type ConvertedFormat } from './encoders.ts';
import { toleranceMs } from './sound-filter.ts';

/** A window of a recording to convert, with all that the file may say of it. */
interface WindowConversion {
  format: ConvertedFormat;
  /** Ogg/Opus of the window alone, so that nothing outside can reach the output. */
  sound: OpenFfmpegInput;
  durationMs: number;
  channels: number;
  /** The title in the file, and its name. */
  title: string;
  date: string | null;
  chapters: readonly Chapter[];
  /** The waveform of the window; null if it is unknown. */
  waveform: PointSource | null;
}

/** Converts windows of recordings for other features. */
export interface WindowConverter {
  /** Whether ffmpeg is installed. */
  isAvailable(): Promise<boolean>;
  /**
   * The headers of the converted file.
   * @throws validation (422) if the format cannot state the length of the sound, or hold its channels
   */
  headersOf(conversion: Omit<WindowConversion, 'sound' | 'waveform'>): Record<string, string>;
  /**
   * Streams the converted sound, and releases the window at the end.
   * @throws conversion-unavailable (409) without ffmpeg, conversion-failed (422)
   */
  convert(conversion: WindowConversion, signal: AbortSignal): Promise<Readable>;
}

const opusTrack = (channels: number) => ({
  position: 0,
  codec: 'opus',
  sampleRateHz: 48_000,
  channels,
  layout: null,
  depth: 's16' as const,
  isDefault: true,
  language: '',
  title: '',
});

type Described = Omit<WindowConversion, 'sound'>;

function conversionOf({
  durationMs,
  channels,
  format,
  title,
  date,
  chapters,
  waveform,
}: Described): Conversion {
  const track = opusTrack(channels);
  return {
    format,
    cut: { fromMs: 0, toMs: durationMs },
    title,
    date,
    chapters,
    sound: convertedSound(format, track, null),
    toleranceMs: toleranceMs(track),
    waveform,
  };
}

/** Creates the converter of windows. */
export function createWindowConverter(findFfmpeg: () => Promise<string | null>): WindowConverter {
  return {
    isAvailable: async () => (await findFfmpeg()) !== null,
    headersOf: (window) => conversionHeaders(conversionOf({ ...window, waveform: null })),
    async convert({ sound, ...window }, signal) {
      const program = await findFfmpeg();
      if (program !== null) return convertAudio(program, { sound, conversion: conversionOf(window), signal });
      await sound.release();
      throw new ProblemError('conversion-unavailable');
    },
  };
}
