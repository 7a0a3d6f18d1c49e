import { onReachableAgain } from '#web/api/connection/connection.ts';
import { setTransfer, transferIn } from '#web/recordings/state/transfers.ts';
import takeWorkerUrl from '#workers/take/take.worker.ts?worker&url';
import type { FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';

export interface TakeWorker {
  post: (message: ToTakeWorker) => void;
  /** Terminates the thread immediately. Its journal is on the disk and can be recovered. */
  terminate: () => void;
}

export interface TakeWorkerEvents {
  onMessage: (message: FromTakeWorker) => void;
  /** The worker failed with an uncaught error and will send nothing more. */
  onBroken: (detail: string) => void;
}

const living = new Map<string, () => void>();

/** Terminates this page's worker of a take, if any, so that the take's files can be removed. */
export function releaseTake(takeId: string): void {
  living.get(takeId)?.();
}

/**
 * A page that is left may be stored for *Back*, with its workers and the locks that they hold, and the next page could
 * neither finish nor send its takes. WebKitGTK stores such pages; Chromium and Firefox don't.
 */
function leave({ persisted }: PageTransitionEvent): void {
  if (!persisted || living.size === 0) return;
  for (const terminate of living.values()) terminate();
  addEventListener('pageshow', () => location.reload(), { once: true });
}

if (typeof window !== 'undefined') addEventListener('pagehide', leave);

function takeIdOf(message: ToTakeWorker): string | null {
  if (message.type === 'start') return message.take.id;
  return message.type === 'recover' ? message.takeId : null;
}

/** The objects that are transferred to the worker instead of copied. */
function transferred(message: ToTakeWorker): Transferable[] {
  if (message.type === 'chunk') return [message.bytes];
  const source = 'source' in message ? message.source : undefined;
  const first = source?.kind === 'pcm' ? source.first : undefined;
  return [source?.pcm, first].filter((part) => part !== null && part !== undefined);
}

/** Starts the worker that encodes, stores and uploads one take. */
export function startTakeWorker({ onMessage, onBroken }: TakeWorkerEvents): TakeWorker {
  const worker = new Worker(takeWorkerUrl, { type: 'module', name: 'earshot-take' });
  const ending = new AbortController();
  let takeId: string | null = null;

  const post = (message: ToTakeWorker) => {
    if (takeId === null && (takeId = takeIdOf(message)) !== null) setTransfer(takeId, 'pending');
    if (takeId !== null) living.set(takeId, terminate);
    worker.postMessage(message, transferred(message));
  };
  const terminate = () => {
    ending.abort();
    if (takeId !== null && living.get(takeId) === terminate) {
      living.delete(takeId);
      setTransfer(takeId, 'none');
    }
    worker.terminate();
  };
  const nudge = () => {
    if (document.visibilityState === 'visible') post({ type: 'nudge' });
  };

  worker.addEventListener('message', ({ data }: MessageEvent<FromTakeWorker>) => {
    if (data.type === 'progress' && takeId !== null && living.get(takeId) === terminate)
      setTransfer(takeId, transferIn(data.condition));
    onMessage(data);
  });
  worker.addEventListener('error', (event) => {
    onBroken(event.message);
  });
  worker.addEventListener('messageerror', () => {
    onBroken('a message could not be read');
  });
  globalThis.addEventListener('online', nudge, { signal: ending.signal });
  document.addEventListener('visibilitychange', nudge, { signal: ending.signal });
  ending.signal.addEventListener('abort', onReachableAgain(nudge));
  return { post, terminate };
}
