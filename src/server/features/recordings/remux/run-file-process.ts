import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { hour, minute, second } from '#base/duration.ts';
import { wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { limitedCommand } from '#server/processes/limited-command.ts';
import type { ReadableFile } from './packet-reader.ts';
import type { FromFileProcess, ToFileProcess } from './process-messages.ts';
import type { RepackOutput } from './repack.ts';

const lowPriority = 10;
const heapMegabytes = 512;
/**
 * Node reserves a good half of it for code that it never makes; what is left is for the heap and for bytes.
 */
const memoryBytes = 1536 * 1024 ** 2;
/**
 * No file is read in larger pieces, and nothing is made in larger ones: the process is not believed either.
 */
const largestPieceBytes = 64 * 1024 * 1024;
const errorTextKept = 2000;

/** One file for a process of its own: what is wanted of it, and where what it makes goes. */
export interface FileTask<Options> {
  file: ReadableFile;
  options: Options;
  output: RepackOutput;
}

/** How long a process may take, by the clock and by the processor. */
export interface FileProcessLimits {
  wallMs: number;
  cpuMs: number;
}

/** Decoding for peaks, the slowest that is asked for, reads fifty times as much on one core of today. */
const bytesPerCpuSecond = 20_000;
const longestWallMs = 2 * hour;

/**
 * What work over all of a file of this size may cost: it grows with the bytes that it brings, and with
 * nothing that it claims.
 */
export function limitsForFile(sizeBytes: number): FileProcessLimits {
  const cpuMs = minute + (sizeBytes / bytesPerCpuSecond) * second;
  return { cpuMs, wallMs: Math.min(longestWallMs, 10 * minute + 4 * cpuMs) };
}

/** The file was too much for the parser: it broke, or used up its memory, its processor time or its time. */
export class FileProcessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileProcessError';
  }
}

type Question = Exclude<FromFileProcess<never>, { type: 'ended' | 'broken' }>;

async function answer({ file, output }: FileTask<unknown>, message: Question): Promise<ToFileProcess<never>> {
  if (message.type !== 'read') {
    if (!(message.bytes instanceof Uint8Array) || message.bytes.length > largestPieceBytes)
      throw new FileProcessError('a process made a piece that cannot be');
    await output[message.type](message.bytes);
    return { type: 'answer', bytes: null };
  }
  const startByte = wholeNumberWithin(message.startByte, { most: file.sizeBytes });
  const endByteExclusive = wholeNumberWithin(message.endByteExclusive, { least: startByte ?? 0 });
  if (startByte === null || endByteExclusive === null)
    throw new FileProcessError('a process asked for bytes that cannot be');
  return {
    type: 'answer',
    bytes: await file.read(
      startByte,
      Math.min(endByteExclusive, file.sizeBytes, startByte + largestPieceBytes),
    ),
  };
}

/** Starts a script in a process without an environment, under limits of the system. */
function start(script: URL, cpuMs: number): ChildProcess {
  const node = [
    `--max-old-space-size=${heapMegabytes}`,
    '--v8-pool-size=1',
    '--disable-wasm-trap-handler',
    fileURLToPath(script),
  ];
  const { program, args } = limitedCommand(process.execPath, node, { memoryBytes, cpuMs });
  const child = spawn(program, args, {
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.pid !== undefined) setPriority(child.pid, lowPriority);
  return child;
}

/** The last lines that a process wrote to stderr. */
function lastErrorLines(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-errorTextKept);
  });
  return () => text.trim();
}

/** Talks with a process until it reports its result, breaks, or is gone. */
function converse<Options, Result>(child: ChildProcess, task: FileTask<Options>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const lastErrors = lastErrorLines(child);
  const send = (message: ToFileProcess<Options>): void => {
    child.send(message, (error) => {
      if (error !== null) reject(new FileProcessError('a process is gone', { cause: error }));
    });
  };
  child.on('message', (message: FromFileProcess<Result>) => {
    if (message.type === 'ended') resolve(message.result);
    else if (message.type === 'broken') reject(new FileProcessError(`a process failed: ${message.error}`));
    else answer(task, message).then(send, reject);
  });
  child.once('error', (cause) => {
    reject(new FileProcessError('a process failed', { cause }));
  });
  child.once('close', (code, signal) => {
    reject(new FileProcessError(`a process ended with ${signal ?? code}: ${lastErrors()}`));
  });
  send({ type: 'start', sizeBytes: task.file.sizeBytes, options: task.options });
  return promise;
}

/**
 * Runs a script over one file in a process of its own, whose death is an answer; aborting ends it at once.
 * Rejects with FileProcessError where the script broke or went beyond its limits, with the store's own error
 * where the file could not be read.
 */
export async function runFileProcess<Options, Result>(
  script: URL,
  task: FileTask<Options>,
  { signal, limits: { wallMs, cpuMs } }: { signal: AbortSignal; limits: FileProcessLimits },
): Promise<Result> {
  signal.throwIfAborted();
  const child = start(script, cpuMs);
  const ended = Promise.withResolvers<never>();
  const abort = (): void => {
    ended.reject(signal.reason instanceof Error ? signal.reason : new Error('reading a file was aborted'));
  };
  signal.addEventListener('abort', abort, { once: true });
  const clock = setTimeout(() => {
    ended.reject(new FileProcessError(`a process took longer than ${wallMs} ms`));
  }, wallMs);
  try {
    return await Promise.race([converse<Options, Result>(child, task), ended.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(clock);
    child.kill('SIGKILL');
  }
}
