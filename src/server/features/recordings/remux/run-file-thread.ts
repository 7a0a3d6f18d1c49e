import { Worker } from 'node:worker_threads';
import type { ReadableFile } from './packet-reader.ts';
import type { Repacked, RepackOutput, RepackWish } from './repack.ts';
import type { FileThreadData, FromFileThread, ToFileThread } from './thread-messages.ts';

/** A file that makes the parser hold more than this is not one that a browser wrote. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** One file for a thread of its own: what is wanted of it, and where what it makes goes. */
export interface FileTask<Wish> { file: ReadableFile; wish: Wish; output: RepackOutput }

/** The file was too much for the parser: it broke, or held more memory than it may. */
export class FileThreadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileThreadError';
  }
}

type Question = Exclude<FromFileThread<never>, { type: 'ended' | 'broken' }>;

async function answer({ file, output }: FileTask<unknown>, message: Question): Promise<ToFileThread> {
  if (message.type === 'read') return { bytes: await file.read(message.startByte, message.endByteExclusive) };
  await output[message.type](message.bytes);
  return { bytes: null };
}

/**
 * Runs a script over one file in a thread of its own, so that the server goes on answering; aborting ends the thread at once.
 * Rejects with FileThreadError where the script broke, with the store's own error where the file could not be read.
 */
export async function runFileThread<Wish, Result>(script: URL, task: FileTask<Wish>, { signal }: { signal: AbortSignal }): Promise<Result> {
  signal.throwIfAborted();
  const workerData: FileThreadData<Wish> = { sizeBytes: task.file.sizeBytes, wish: task.wish };
  const thread = new Worker(script, { workerData, resourceLimits });
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const abort = (): void => { reject(signal.reason instanceof Error ? signal.reason : new Error('reading a file was aborted')); };
  signal.addEventListener('abort', abort, { once: true });
  thread.on('message', (message: FromFileThread<Result>) => {
    if (message.type === 'ended') resolve(message.result);
    else if (message.type === 'broken') reject(new FileThreadError(`a thread failed: ${message.error}`));
    else answer(task, message).then((reply) => { thread.postMessage(reply); }, reject);
  });
  thread.on('error', (cause) => { reject(new FileThreadError('a thread failed', { cause })); });
  thread.on('exit', (code) => { reject(new FileThreadError(`a thread ended with ${code}`)); });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }
}

const remuxScript = new URL('remux.thread.ts', import.meta.url);

/** Runs `repack` in a thread of its own. */
export const runRemuxThread = (task: FileTask<RepackWish>, context: { signal: AbortSignal }): Promise<Repacked> => runFileThread(remuxScript, task, context);
