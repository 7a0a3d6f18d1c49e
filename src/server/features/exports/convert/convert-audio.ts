import { Readable } from 'node:stream';
import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import { hour, second } from '#base/duration.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { OpenFfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import {
  progressPipe,
  type RunningFfmpeg,
  startFfmpeg,
  textPipe,
} from '#server/processes/ffmpeg/start-ffmpeg.ts';
import { type Chapter, type Cut, ffmetadata } from './chapters.ts';
import { type ConvertedFormat, type ConvertedSound, encoders, framesOf } from './encoders.ts';
import { comparedOutput } from './compared-output.ts';
import { bufferedStart } from './buffered-start.ts';
import { soundFilter } from './sound-filter.ts';
import { statingLength } from './stated-length.ts';

const maxRunMs = 6 * hour;

export interface Conversion {
  format: ConvertedFormat;
  cut: Cut;
  title: string;
  /** The recorded time in ISO 8601 with its known precision; null if unknown. */
  date: string | null;
  chapters: readonly Chapter[];
  /** The properties of the output. */
  sound: ConvertedSound;
  /** How much shorter than the cut the decoded sound may be, in ms. */
  toleranceMs: number;
  /** The waveform of the whole source; null if it is unknown. */
  waveform: PointSource | null;
}

/**
 * ffmpeg reads the input and a metadata pipe, and writes to its standard output. It opens no other files or
 * connections.
 */
function outputOf({ format, cut, sound, toleranceMs }: Conversion): string[] {
  const { chapters, output } = encoders[format];
  const described =
    chapters !== null
      ? ['-f', 'ffmetadata', '-i', textPipe, '-map_metadata', '1', '-map_chapters', '1']
      : ['-map_metadata', '-1'];
  const filter = soundFilter({
    cut,
    sampleRateHz: sound.sampleRateHz,
    frames: framesOf(cut, sound),
    toleranceMs,
    channelFilter: sound.channelFilter,
    firstFilter: sound.firstFilter,
  });
  return [
    ...described,
    '-map',
    '0:a:0',
    '-af',
    filter,
    // ffmpeg would mix the channels of a source to the loudspeakers that it guesses from this number.
    ...(sound.channels <= 2 ? ['-ac', String(sound.channels)] : []),
    '-progress',
    progressPipe,
    ...output(sound.depth),
  ];
}

/** The duration of the encoded sound according to ffmpeg's last progress report. */
async function encodedMs(progress: Readable): Promise<number> {
  let text = '';
  let lengthMs = 0;
  for await (const piece of progress.setEncoding('utf8')) {
    text = (text + String(piece)).slice(-4096);
    const reported = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
    if (reported !== undefined) lengthMs = Number(reported) / 1000;
  }
  return lengthMs;
}

/** Rejects if ffmpeg failed, its input could not be read, or its output is shorter than promised. */
async function checkWhole(
  { ended, inputError }: RunningFfmpeg,
  { encoded, promisedMs }: { encoded: Promise<number>; promisedMs: number },
): Promise<void> {
  const { code, by } = await ended;
  const cause = inputError();
  if (code !== 0 || cause !== null) throw new Error(`ffmpeg ended with ${by ?? code}`, { cause });
  const lengthMs = await encoded;
  if (lengthMs < promisedMs - 1) throw new Error(`only ${lengthMs} of ${promisedMs} ms could be decoded`);
}

/**
 * Converts sound with ffmpeg. Streams the output, and releases the input at the end. Aborting stops the
 * conversion. The first seconds are buffered, so that an early failure can be reported before anything is sent.
 * @throws ProblemError conversion-failed if it fails early. A later failure ends the stream with an error, never
 * with a short or silent file.
 */
export async function convertAudio(
  program: string,
  { sound, conversion, signal }: { sound: OpenFfmpegInput; conversion: Conversion; signal: AbortSignal },
): Promise<Readable> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(maxRunMs)]);
  const kind = encoders[conversion.format].chapters;
  const running = startFfmpeg(
    program,
    {
      input: sound.input,
      output: outputOf(conversion),
      ...(kind === null ? {} : { text: ffmetadata(conversion, kind) }),
    },
    limits,
  );
  const encoded = encodedMs(running.progress);
  encoded.catch(() => undefined);

  async function* converted(): AsyncGenerator<Buffer> {
    try {
      const pieces = statingLength(conversion, running.stdout);
      yield* comparedOutput(program, conversion, { pieces, signal: limits });
      await checkWhole(running, { encoded, promisedMs: conversion.cut.toMs - conversion.cut.fromMs });
    } finally {
      running.kill();
      await sound.release();
    }
  }

  try {
    return Readable.from(await bufferedStart(converted(), { maxBytes: 8 * 1024 ** 2, maxMs: 3 * second }), {
      objectMode: false,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ProblemError('conversion-failed', { cause });
  }
}
