import type { FromEncodeWorker, ToEncodeWorker } from './messages.ts';
import { openNewTake } from './take/open-take.ts';
import { recoverTake } from './take/recover-take.ts';
import { TakeSession, type TakeSessionOptions } from './take/take-session.ts';
import { sleep } from './upload/wake.ts';
import { failureOf } from './worker-failure.ts';

const post = (message: FromEncodeWorker, transfer: Transferable[] = []): void => postMessage(message, transfer);

const options: TakeSessionOptions = {
  surroundings: { fetch: (input, init) => fetch(input, init), sleep, nowMs: () => performance.now(), random: () => Math.random() },
  post,
  onDone: () => close(),
};

let session: TakeSession | null = null;
/** Opening takes a moment; what the page says meanwhile waits its turn. */
let lastHandled: Promise<void> = Promise.resolve();

async function open(message: Extract<ToEncodeWorker, { type: 'start' | 'recover' }>): Promise<void> {
  const takeId = message.type === 'start' ? message.take.id : message.takeId;
  try {
    const take = message.type === 'start' ? await openNewTake(message.take, (error) => session?.fail(error)) : await recoverTake(takeId);
    session = new TakeSession(take, options);
    session.begin(message.type === 'start' ? message.pcmPort : null);
  } catch (error) {
    const { code, message: detail } = failureOf(error, 'internal');
    post({ type: 'failed', takeId, code, detail });
    close();
  }
}

async function handle(message: ToEncodeWorker): Promise<void> {
  if (message.type === 'start' || message.type === 'recover') {
    if (session === null) await open(message);
    return;
  }
  await session?.handle(message);
}

onmessage = ({ data }: MessageEvent<ToEncodeWorker>) => {
  lastHandled = lastHandled.then(() => handle(data));
};
