import { spawn, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hour } from '#base/duration.ts';
import { ProblemError } from '../../../http/problem.ts';
import { ffmpegLimits, soundInput } from '../../../processes/ffmpeg-limits.ts';
import { bareEnvironment, limitedCommand } from '../../../processes/limited-command.ts';
import { type Chapter, type Cut, ffmetadata } from './chapters.ts';
import { type ConvertedFormat, encoders, framesOf, tellFlacLength, wavHeader } from './encoders.ts';

const lowPriority = 10;
const longestRunMs = 6 * hour;

export interface Conversion {
  format: ConvertedFormat;
  cut: Cut;
  title: string;
  chapters: readonly Chapter[];
  /** Of what comes out. */
  sound: { sampleRateHz: number; channels: number };
}

/** Exactly as many frames as the cut is long, whatever a torn file still holds of them. */
function filterOf({ cut, sound }: Conversion): string {
  const frames = framesOf(cut, sound);
  return `aresample=${sound.sampleRateHz},atrim=start=${cut.fromMs / 1000}:end=${cut.toMs / 1000},asetpts=PTS-STARTPTS,apad=whole_len=${frames},atrim=end_sample=${frames}`;
}

/** From its standard input to its standard output, metadata from a third pipe: it opens no file and no connection. */
function argumentsOf(conversion: Conversion): string[] {
  const { chapters, output } = encoders[conversion.format];
  const told = chapters !== null ? ['-f', 'ffmetadata', '-i', 'pipe:3', '-map_metadata', '1', '-map_chapters', '1'] : ['-map_metadata', '-1'];
  return [
    '-hide_banner', '-nostdin', '-loglevel', 'error', ...soundInput('pipe,fd'), '-i', 'pipe:0', ...told, '-map', '0:a:0',
    '-af', filterOf(conversion), '-ac', String(conversion.sound.channels), ...output, 'pipe:1',
  ];
}

/** What the format's header needs to know before the sound is there. */
function withLength({ format, cut, sound }: Conversion, first: Buffer): Buffer {
  if (format === 'wav') return Buffer.concat([wavHeader(framesOf(cut, sound), sound), first]);
  return format === 'flac' ? tellFlacLength(first, framesOf(cut, sound)) : first;
}

function ended(child: ChildProcess): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  return promise;
}

/**
 * Converts sound with ffmpeg's process, niced; gives the bytes as they come. Aborting kills it.
 * @throws ProblemError conversion-failed when nothing comes out; later failures end the stream with an error.
 */
export async function convertAudio(program: string, { input, conversion, signal }: { input: Readable; conversion: Conversion; signal: AbortSignal }): Promise<Readable> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(longestRunMs)]);
  const kind = encoders[conversion.format].chapters;
  const command = limitedCommand(program, argumentsOf(conversion), ffmpegLimits);
  const child = spawn(command.program, command.args, { env: bareEnvironment(), stdio: ['pipe', 'pipe', 'ignore', kind === null ? 'ignore' : 'pipe'], signal: limits, killSignal: 'SIGKILL' });
  const over = ended(child);
  over.catch(() => undefined);
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  const { stdin, stdout, stdio: [, , , told] } = child;
  if (stdin === null || stdout === null) throw new TypeError('the process was begun without its pipes');
  // It closes its inputs as soon as it has what it needs: only a failure of the source's own counts.
  pipeline(input, stdin).catch(() => undefined);
  if (kind !== null && told instanceof Writable) pipeline(Readable.from([ffmetadata(conversion, kind)]), told).catch(() => undefined);
  const pieces: AsyncIterator<Buffer> = stdout[Symbol.asyncIterator]();

  async function* converted(first: Buffer): AsyncGenerator<Buffer> {
    try {
      yield withLength(conversion, first);
      for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value;
      const code = await over;
      if (code !== 0 || input.errored) throw new Error(`ffmpeg ended with ${code}`, { cause: input.errored });
    } finally {
      child.kill('SIGKILL');
      input.destroy();
    }
  }

  const first = await pieces.next().catch((cause: unknown) => { throw new ProblemError('conversion-failed', { cause }); });
  if (!first.done) return Readable.from(converted(first.value), { objectMode: false });
  input.destroy();
  throw new ProblemError('conversion-failed', { cause: new Error(`ffmpeg ended with ${await over} before it gave anything`) });
}
