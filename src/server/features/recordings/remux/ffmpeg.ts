import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hour, second } from '#base/duration.ts';
import { ffmpegLimits, soundInput } from '../../../processes/ffmpeg-limits.ts';
import { bareEnvironment, findProgram, isRunnable, limitedCommand } from '../../../processes/limited-command.ts';

const lowPriority = 10;
const longestRunMs = 2 * hour;
/** How a rendition is encoded, and what may come of it: the file ends there, well formed. */
export interface OpusWish { bitrateBps: number; mostMs: number; mostBytes: number }

const opusArguments = ({ bitrateBps, mostMs, mostBytes }: OpusWish): string[] =>
  ['-c:a', 'libopus', '-b:a', String(bitrateBps), '-ar', '48000', '-page_duration', '200000', '-t', String(mostMs / second), '-fs', String(mostBytes), '-f', 'ogg'];

/** What ffmpeg reads: a stream, or a file that it may seek in, as one container and no other. */
export type FfmpegInput = { kind: 'stream'; bytes: Readable } | { kind: 'file'; path: string; demuxer: string };

/**
 * From its standard input it opens no file and no connection. Of a file on the disk it opens that one alone: with its container fixed, nothing
 * in it can be taken for a list of other files.
 */
const inputArguments = (input: FfmpegInput): string[] =>
  (input.kind === 'stream' ? [...soundInput('pipe,fd'), '-i', 'pipe:0'] : [...soundInput('file'), '-f', input.demuxer, '-i', `file:${input.path}`]);

/**
 * Finds ffmpeg: the program that was named, else the one on the search path; null where there is none.
 * @param wanted an absolute path, or a name to be looked for; empty means `ffmpeg`
 */
export async function findFfmpeg(wanted: string, searchPath: string): Promise<string | null> {
  if (isAbsolute(wanted)) return isRunnable(wanted) ? wanted : null;
  return findProgram(wanted === '' ? 'ffmpeg' : wanted, searchPath);
}

interface Taking { store: (bytes: Uint8Array) => Promise<void>; signal: AbortSignal }

/** Transcodes sound of any codec to Ogg/Opus. A torn file gives what could be decoded of it, possibly nothing. */
export const transcodeToOgg = (program: string, { input, ...wish }: { input: FfmpegInput } & OpusWish, taking: Taking): Promise<void> => runFfmpeg(program, { input, output: opusArguments(wish) }, taking);

/**
 * Decodes sound of any codec to interleaved 32-bit float samples, little-endian.
 * @param channels 1 or 2
 */
export const decodeToPcm = (program: string, { input, sampleRateHz, channels, mostMs }: { input: FfmpegInput; sampleRateHz: number; channels: number; mostMs: number }, taking: Taking): Promise<void> =>
  runFfmpeg(program, { input, output: ['-c:a', 'pcm_f32le', '-ar', String(sampleRateHz), '-ac', String(channels), '-t', String(mostMs / second), '-f', 'f32le'] }, taking);

/** What ffmpeg ends with once it was told to stop: then its file is well formed, and short. */
const toldToStop = 255;
/** It broke over what is in the file, and would do so again. */
const crashes: readonly NodeJS.Signals[] = ['SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGABRT', 'SIGXCPU'];

/** Whether somebody else ended it: what came out is then worth nothing, and another attempt gives all of it. */
const wasStopped = (code: number | null, signal: NodeJS.Signals | null): boolean => code === toldToStop || (signal !== null && !crashes.includes(signal));

/**
 * Runs ffmpeg over the first sound in its input, niced and at most two hours long; aborting kills it. What comes out is stored piece by piece.
 * Rejects where it was stopped or its input could not be read, never because of what is in the file.
 */
async function runFfmpeg(program: string, { input, output }: { input: FfmpegInput; output: readonly string[] }, { store, signal }: Taking): Promise<void> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(longestRunMs)]);
  const wanted = ['-hide_banner', '-nostdin', '-loglevel', 'error', ...inputArguments(input), '-map', '0:a:0', '-map_metadata', '-1', ...output, 'pipe:1'];
  const command = limitedCommand(program, wanted, ffmpegLimits);
  const child = spawn(command.program, command.args, { env: bareEnvironment(), stdio: ['pipe', 'pipe', 'ignore'], signal: limits, killSignal: 'SIGKILL' });
  const ended = Promise.withResolvers<undefined>();
  child.once('error', ended.reject);
  child.once('close', (code, by) => {
    if (wasStopped(code, by)) ended.reject(new Error(`ffmpeg was stopped (${by ?? code})`));
    else ended.resolve(undefined);
  });
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  // It closes its input early when it has seen enough of a damaged file; what counts is what came out.
  const bytes = input.kind === 'stream' ? input.bytes : Readable.from([]);
  bytes.once('error', (error) => { if (!child.stdin.destroyed) ended.reject(error); });
  const fed = pipeline(bytes, child.stdin).catch(() => undefined);
  const stored = pipeline(child.stdout, async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) await store(piece);
  });
  try {
    await Promise.all([stored, ended.promise, fed]);
  } finally {
    child.kill('SIGKILL');
    bytes.destroy();
  }
  limits.throwIfAborted();
}
