import { fillSlots } from '#device/streams/slot-pool.ts';
import type { FromTakeWorker, ToTakeWorker } from './messages.ts';
import { openNewTake, type OpenTake } from './session/open-take.ts';
import { recoverTake } from './session/recover-take.ts';
import { type TakeCommand, TakeSession, type TakeSessionOptions } from './session/take-session.ts';
import { ElapsedClock } from './capture/elapsed-clock.ts';
import { sleep } from '#workers/upload/wake.ts';
import { failureOf } from './worker-failure.ts';

type OpeningMessage = Extract<ToTakeWorker, { type: 'start' | 'recover' }>;

const post = (message: FromTakeWorker, transfer: Transferable[] = []): void => postMessage(message, transfer);

const clock = new ElapsedClock({ monotonicMs: () => performance.now(), wallMs: () => Date.now() });

const options: TakeSessionOptions = {
  nowMs: () => clock.nowMs(),
  deps: {
    fetch: (input, init) => fetch(input, init),
    sleep,
    nowMs: () => performance.now(),
    random: () => Math.random(),
  },
  post,
  onDone: () => close(),
};

let session: TakeSession | null = null;
let isOpening = false;
/** Commands of the page that arrive while the take is being opened. */
const waiting: TakeCommand[] = [];

async function open(message: OpeningMessage): Promise<void> {
  const takeId = message.type === 'start' ? message.take.id : message.takeId;
  isOpening = true;
  try {
    session = new TakeSession(await openTake(message), options);
    session.start();
    for (const command of waiting.splice(0)) void session.handle(command);
    await fillSlots();
  } catch (error) {
    const { code, message: detail } = failureOf(error, 'internal');
    post({ type: 'failed', takeId, code, detail });
    close();
  }
}

async function openTake(message: OpeningMessage): Promise<OpenTake> {
  if (message.type === 'recover') return recoverTake(message.takeId, message.source ?? null);
  return openNewTake({
    take: message.take,
    source: message.source,
    nowMs: options.nowMs,
    onFailure: (error) => session?.writerFailed(error),
  });
}

onmessage = ({ data }: MessageEvent<ToTakeWorker>) => {
  if (data.type !== 'start' && data.type !== 'recover') {
    // In order and without waiting: a piece of sound must not wait until a title is saved.
    if (session === null) waiting.push(data);
    else void session.handle(data);
  } else if (!isOpening) {
    void open(data);
  }
};
