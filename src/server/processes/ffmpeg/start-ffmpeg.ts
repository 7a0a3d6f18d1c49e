import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { isAbsolute } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { second } from '#base/duration.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import {
  bareEnvironment,
  findProgram,
  isRunnable,
  limitedCommand,
} from '#server/processes/limited-command.ts';
import { type FfmpegInput, inputArguments } from './ffmpeg-input.ts';
import { ffmpegLimits } from './ffmpeg-limits.ts';

const lowPriority = 10;
/**
 * ffmpeg closes holes above ten seconds in Ogg and MPEG transport streams, but not in other containers. Beyond this
 * limit, the longest of any recording, it would in every container.
 */
const maxHoleS = maxSoundMs / second;

/**
 * Finds ffmpeg: the configured program, else the one on the search path; null if there is none.
 * @param wanted an absolute path or a name to search for; empty means `ffmpeg`
 */
export async function findFfmpeg(wanted: string, searchPath: string): Promise<string | null> {
  if (isAbsolute(wanted)) return isRunnable(wanted) ? wanted : null;
  return findProgram(wanted === '' ? 'ffmpeg' : wanted, searchPath);
}

/** The pipe from which ffmpeg reads text besides its input. */
export const textPipe = 'pipe:3';
/** The pipe to which ffmpeg writes its progress. */
export const progressPipe = 'pipe:4';

export interface FfmpegWork {
  input: FfmpegInput;
  /** All arguments after the input; the output is `pipe:1`. */
  output: readonly string[];
  /** The text that ffmpeg can read from `textPipe`. */
  text?: string;
  /** Receives ffmpeg's log in pieces. Without it nothing reads the log. */
  onLog?: (text: string) => void;
}

export interface RunningFfmpeg {
  stdout: Readable;
  /** The output of ffmpeg to `progressPipe`. */
  progress: Readable;
  /** Resolves when the process ends. Rejects if it could not start or was aborted. */
  ended: Promise<{ code: number | null; by: NodeJS.Signals | null }>;
  /** Returns why the input could not be read, if that happened before ffmpeg closed it. */
  inputError: () => Error | null;
  /** Kills the process if it is still running, and closes its input. */
  kill: () => void;
}

function feed(child: ChildProcess, input: FfmpegInput): () => Error | null {
  if (input.kind === 'file' || child.stdin === null) return () => null;
  const { stdin } = child;
  let failure: Error | null = null;
  input.bytes.once('error', (error) => {
    if (!stdin.destroyed) failure = error;
  });
  // ffmpeg closes its input as soon as it has enough, so only a failure of the source counts.
  pipeline(input.bytes, stdin).catch(() => undefined);
  return () => failure;
}

/**
 * Starts ffmpeg; all of the server's ffmpeg processes start here. It runs at low priority, under system limits,
 * without secrets, and reads only audio. Aborting kills it.
 */
export function startFfmpeg(
  program: string,
  { input, output, text, onLog }: FfmpegWork,
  signal: AbortSignal,
): RunningFfmpeg {
  const command = limitedCommand(
    program,
    [
      '-hide_banner',
      '-nostdin',
      '-loglevel',
      'error',
      '-dts_delta_threshold',
      String(maxHoleS),
      ...inputArguments(input),
      ...output,
      'pipe:1',
    ],
    ffmpegLimits,
  );
  const child = spawn(command.program, command.args, {
    env: bareEnvironment(),
    stdio: [
      input.kind === 'file' ? 'ignore' : 'pipe',
      'pipe',
      onLog === undefined ? 'ignore' : 'pipe',
      text === undefined ? 'ignore' : 'pipe',
      'pipe',
    ],
    signal,
    killSignal: 'SIGKILL',
  });
  const {
    promise: ended,
    resolve,
    reject,
  } = Promise.withResolvers<{ code: number | null; by: NodeJS.Signals | null }>();
  ended.catch(() => undefined);
  child.once('error', reject);
  child.once('close', (code, by) => {
    resolve({ code, by });
  });
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  const {
    stdout,
    stdio: [, , , textInput, progress],
  } = child;
  if (stdout === null || !(progress instanceof Readable))
    throw new TypeError('the process was started without its pipes');
  if (onLog !== undefined) child.stderr?.setEncoding('utf8').on('data', onLog);
  if (text !== undefined && textInput instanceof Writable)
    pipeline(Readable.from([text]), textInput).catch(() => undefined);
  const inputError = feed(child, input);
  return {
    stdout,
    progress,
    ended,
    inputError,
    kill() {
      child.kill('SIGKILL');
      if (input.kind !== 'file') input.bytes.destroy();
    },
  };
}
