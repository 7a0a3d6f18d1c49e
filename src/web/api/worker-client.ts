import { onReachableAgain } from '#web/api/connection/connection.ts';

export interface WorkerThread<To> {
  post: (message: To) => void;
  /** Ends the thread at once. Data that it sent or stored is not lost. */
  end: () => void;
}

/** The handlers of a worker's messages, and of an error that ended it. */
interface WorkerHandlers<From> {
  onMessage: (message: From) => void;
  whenBroken: (detail: string) => From;
}

/**
 * Wraps a worker that sends something. Passes on its messages until it is ended, and nudges it to retry when the
 * network, the server or the user is back.
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
