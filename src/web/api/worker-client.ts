import { onReachableAgain } from '#web/api/connection/connection.ts';

export interface WorkerThread<To> {
  post: (message: To) => void;
  /** Ends the thread at once; what it sent is on the server, what it kept is on the disk. */
  end: () => void;
}

/** What is done with the messages of a worker, and with an error that ended it. */
interface WorkerHandlers<From> {
  onMessage: (message: From) => void;
  whenBroken: (detail: string) => From;
}

/**
 * Holds on to a worker that sends something: heard until it is ended, and nudged when the network, the server
 * or the user is back.
 */
export function createWorkerClient<To, From>(
  worker: Worker,
  { onMessage, whenBroken }: WorkerHandlers<From>,
): WorkerThread<To | { type: 'nudge' }> {
  const ending = new AbortController();
  const post = (message: To | { type: 'nudge' }) => {
    worker.postMessage(message);
  };
  const nudge = () => {
    if (document.visibilityState === 'visible') post({ type: 'nudge' });
  };
  worker.addEventListener('message', (event: MessageEvent<From>) => {
    if (!ending.signal.aborted) onMessage(event.data);
  });
  worker.addEventListener('error', (event) => {
    if (!ending.signal.aborted) onMessage(whenBroken(event.message));
  });
  globalThis.addEventListener('online', nudge, { signal: ending.signal });
  document.addEventListener('visibilitychange', nudge, { signal: ending.signal });
  ending.signal.addEventListener('abort', onReachableAgain(nudge));
  return {
    post,
    end: () => {
      ending.abort();
      worker.terminate();
    },
  };
}
