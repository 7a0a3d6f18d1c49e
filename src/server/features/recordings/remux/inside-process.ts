import type { ReadableFile } from './packet-reader.ts';
import type { FromFileProcess, ToFileProcess } from './process-messages.ts';
import type { RepackOutput } from './repack.ts';

const noBytes = new Uint8Array(0);

/** Waits for the server's next message. */
function nextMessage<Options>(): Promise<ToFileProcess<Options>> {
  const { promise, resolve } = Promise.withResolvers<ToFileProcess<Options>>();
  process.once('message', (message: ToFileProcess<Options>) => {
    resolve(message);
  });
  return promise;
}

/** Runs `work` in this process on a file that the server reads, and reports the result. */
export async function insideProcess<Options, Result>(
  work: (file: ReadableFile, options: Options, output: RepackOutput) => Promise<Result>,
): Promise<void> {
  if (process.send === undefined) throw new Error('this module must run in a child process');
  const send = process.send.bind(process);

  /** Sends a request to the server's stores over the IPC channel. If a store fails, the server kills this process. */
  async function request(message: FromFileProcess<Result>): Promise<Uint8Array> {
    const answered = nextMessage();
    send(message);
    const reply = await answered;
    return reply.type === 'answer' && reply.bytes !== null ? reply.bytes : noBytes;
  }

  /** The parser may read ahead while a piece is being stored, but the channel carries one request at a time. */
  let lastAnswered: Promise<unknown> = Promise.resolve();
  function inTurn(message: FromFileProcess<Result>): Promise<Uint8Array> {
    const answered = lastAnswered.then(() => request(message));
    lastAnswered = answered;
    return answered;
  }

  async function run(): Promise<FromFileProcess<Result>> {
    const start = await nextMessage<Options>();
    if (start.type !== 'start') throw new Error('the first message must be start');
    const file = {
      sizeBytes: start.sizeBytes,
      read: (startByte: number, endByteExclusive: number) =>
        inTurn({ type: 'read', startByte, endByteExclusive }),
    };
    const output = {
      audio: async (bytes: Uint8Array) => {
        await inTurn({ type: 'audio', bytes });
      },
      peaks: async (bytes: Uint8Array) => {
        await inTurn({ type: 'peaks', bytes });
      },
    };
    try {
      return { type: 'ended', result: await work(file, start.options, output) };
    } catch (error) {
      return {
        type: 'broken',
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };
    }
  }

  send(await run(), undefined, {}, () => {
    process.disconnect();
  });
}
