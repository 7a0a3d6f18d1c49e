import { parentPort, workerData } from 'node:worker_threads';
import type { ReadableFile } from './packet-reader.ts';
import type { RepackOutput } from './repack.ts';
import type { FileThreadData, FromFileThread, ToFileThread } from './thread-messages.ts';

const noBytes = new Uint8Array(0);

/** Runs `work` in this thread over the file that lies with the server, and tells the server how it ended. */
export async function insideThread<Wish, Result>(work: (file: ReadableFile, wish: Wish, output: RepackOutput) => Promise<Result>): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('this file is the code of a worker thread');

  /** The server's stores are asked through the port; what fails there ends this thread from outside. */
  async function ask(question: FromFileThread<Result>): Promise<Uint8Array> {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    port?.once('message', ({ bytes }: ToFileThread) => { resolve(bytes ?? noBytes); });
    port?.postMessage(question);
    return promise;
  }

  /** The parser may read ahead while a piece is being stored, but the port carries one question at a time. */
  let lastAnswered: Promise<unknown> = Promise.resolve();
  function inTurn(question: FromFileThread<Result>): Promise<Uint8Array> {
    const answered = lastAnswered.then(() => ask(question));
    lastAnswered = answered;
    return answered;
  }

  async function run({ sizeBytes, wish }: FileThreadData<Wish>): Promise<FromFileThread<Result>> {
    const file = { sizeBytes, read: (startByte: number, endByteExclusive: number) => inTurn({ type: 'read', startByte, endByteExclusive }) };
    const output = { audio: async (bytes: Uint8Array) => { await inTurn({ type: 'audio', bytes }); }, peaks: async (bytes: Uint8Array) => { await inTurn({ type: 'peaks', bytes }); } };
    try {
      return { type: 'ended', result: await work(file, wish, output) };
    } catch (error) {
      return { type: 'broken', error: error instanceof Error ? error.stack ?? error.message : String(error) };
    }
  }

  const data: FileThreadData<Wish> = workerData;
  port.postMessage(await run(data));
}
