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
/** Node reserves more than half of it for code that is never generated. The rest is for the heap and buffers. */
const memoryBytes = 1536 * 1024 ** 2;
/** Longer reads are shortened and larger pieces of output are rejected, because the process is not trusted. */
const maxPieceBytes = 64 * 1024 * 1024;
const errorTextLength = 2000;

/** A file for a child process, the options, and where its output goes. */
export interface FileTask<Options> {
  file: ReadableFile;
  options: Options;
  output: RepackOutput;
}

/** Limits of wall-clock and CPU time. */
export interface FileProcessLimits {
  wallMs: number;
  cpuMs: number;
}

/** Making peaks, the slowest task, reads fifty times as much per second on one current core. */
const bytesPerCpuSecond = 20_000;
const maxWallMs = 2 * hour;

/**
 * The limits for processing a whole file of this size. They depend only on its actual bytes, never on its headers.
 */
export function limitsForFile(sizeBytes: number): FileProcessLimits {
  const cpuMs = minute + (sizeBytes / bytesPerCpuSecond) * second;
  return { cpuMs, wallMs: Math.min(maxWallMs, 10 * minute + 4 * cpuMs) };
}

/** The parser could not process the file: it crashed, or exceeded its memory, CPU time or wall-clock time. */
export class FileProcessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileProcessError';
  }
}

type Question = Exclude<FromFileProcess<never>, { type: 'ended' | 'broken' }>;

async function answer({ file, output }: FileTask<unknown>, message: Question): Promise<ToFileProcess<never>> {
  if (message.type !== 'read') {
    if (!(message.bytes instanceof Uint8Array) || message.bytes.length > maxPieceBytes)
      throw new FileProcessError('the process sent an invalid piece');
    await output[message.type](message.bytes);
    return { type: 'answer', bytes: null };
  }
  const startByte = wholeNumberWithin(message.startByte, { max: file.sizeBytes });
  const endByteExclusive = wholeNumberWithin(message.endByteExclusive, { min: startByte ?? 0 });
  if (startByte === null || endByteExclusive === null)
    throw new FileProcessError('the process requested an invalid range');
  return {
    type: 'answer',
    bytes: await file.read(startByte, Math.min(endByteExclusive, file.sizeBytes, startByte + maxPieceBytes)),
  };
}

/** Starts a script in a process with an empty environment and operating system limits. */
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

/** The end of a process's stderr. */
function lastErrorLines(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text = (text + piece).slice(-errorTextLength);
  });
  return () => text.trim();
}

/** Answers a process's requests until it reports its result, fails or exits. */
function serveProcess<Options, Result>(child: ChildProcess, task: FileTask<Options>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const lastErrors = lastErrorLines(child);
  const send = (message: ToFileProcess<Options>): void => {
    child.send(message, (error) => {
      if (error !== null) reject(new FileProcessError('the process has exited', { cause: error }));
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
 * Runs a script on one file in a child process, so that a crash only fails this task. Aborting kills the process.
 * @throws FileProcessError if the script failed or exceeded its limits; the store's own error if the file can't be
 * read
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
    ended.reject(
      signal.reason instanceof Error ? signal.reason : new Error('processing the file was aborted'),
    );
  };
  signal.addEventListener('abort', abort, { once: true });
  const clock = setTimeout(() => {
    ended.reject(new FileProcessError(`a process took longer than ${wallMs} ms`));
  }, wallMs);
  try {
    return await Promise.race([serveProcess<Options, Result>(child, task), ended.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(clock);
    child.kill('SIGKILL');
  }
}
