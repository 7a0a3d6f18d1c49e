import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import { SoundComparison } from '#audio/peaks/sound-comparison.ts';
import { peaksFormat } from '#contract/limits.ts';
import { type RunningFfmpeg, startFfmpeg } from '#server/processes/ffmpeg/start-ffmpeg.ts';
import { PcmFrames } from '#server/processes/ffmpeg/pcm-frames.ts';
import type { Cut } from './chapters.ts';
import type { ConvertedFormat, ConvertedSound } from './encoders.ts';

/** ffmpeg's names for the containers of conversions. */
const demuxers: Readonly<Record<ConvertedFormat, string>> = {
  wav: 'wav',
  flac: 'flac',
  mp3: 'mp3',
  m4a: 'mov',
  opus: 'ogg',
};

/** The waveform of a part of a recording. */
function waveformOf({ points, read }: PointSource, { fromMs, toMs }: Cut): PointSource {
  const pointMs = 1000 / peaksFormat.pointsPerSecond;
  const fromPoint = Math.min(points, Math.round(fromMs / pointMs));
  return {
    points: Math.min(points, Math.round(toMs / pointMs)) - fromPoint,
    read: (startPoint, endPointExclusive) => read(fromPoint + startPoint, fromPoint + endPointExclusive),
  };
}

/** An encoded stream, and what it was made from. */
export interface EncodedSound {
  format: ConvertedFormat;
  cut: Cut;
  sound: ConvertedSound;
  /** The waveform of the whole recording, or of the window that was converted; null if it is unknown. */
  waveform: PointSource | null;
}

/** Feeds a comparison with the decoded sound. Resolves at its end. */
async function compare(
  { stdout, ended }: RunningFfmpeg,
  { sampleRateHz, channels }: ConvertedSound,
  comparison: SoundComparison,
): Promise<void> {
  const accumulator = new PeaksAccumulator(sampleRateHz);
  const frames = new PcmFrames(channels);
  for await (const piece of stdout) {
    accumulator.push(frames.planesOf(piece as Buffer));
    await comparison.push(accumulator.take());
  }
  accumulator.flush();
  await comparison.push(accumulator.take());
  await ended;
}

/**
 * An encoder's output, decoded again while it is passed on, and compared with the waveform. Sound of more than two
 * channels is not compared: its waveform is that of the mix.
 * @throws Error once a second has lost its sound, at the latest at the end. A waveform that can't be read, and an
 * ffmpeg that can't be started, end the comparison and not the output.
 */
export async function* comparedOutput(
  program: string,
  { format, cut, sound, waveform }: EncodedSound,
  { pieces, signal }: { pieces: AsyncIterable<Buffer>; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  if (waveform === null || sound.channels > 2) {
    yield* pieces;
    return;
  }
  const bytes = new PassThrough();
  const input = { kind: 'encoded-stream', bytes, demuxer: demuxers[format] } as const;
  const decoded = ['-map', '0:a:0', '-ac', String(sound.channels), '-ar', String(sound.sampleRateHz)];
  const running = startFfmpeg(program, { input, output: [...decoded, '-f', 'f32le'] }, signal);
  running.progress.resume();
  const comparison = new SoundComparison(waveformOf(waveform, cut));
  let isOver = false;
  const compared = compare(running, sound, comparison).then(
    () => true,
    () => false,
  );
  const over = compared.then(() => {
    isOver = true;
  });
  const rejectLost = (lost: SoundComparison['lost']): void => {
    if (lost !== null) throw new Error(`the sound of the second at ${lost.atMs} ms was lost`);
  };
  try {
    for await (const piece of pieces) {
      if (!isOver && !bytes.write(piece)) await Promise.race([once(bytes, 'drain'), over]);
      rejectLost(comparison.lost);
      yield piece;
    }
    bytes.end();
    if (await compared) rejectLost(await comparison.finish());
  } finally {
    running.kill();
  }
}
