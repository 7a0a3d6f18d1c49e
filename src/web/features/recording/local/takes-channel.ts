import { openBroadcast } from '#device/site-data/broadcast.ts';

/** Tells every page of this browser, this one included, that the takes on this device changed. */
interface TakesChannel {
  tell: () => void;
  subscribe: (listener: () => void) => () => void;
}

function createTakesChannel(): TakesChannel {
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const channel = openBroadcast('takes');
  channel?.addEventListener('message', notify);
  return {
    tell: () => {
      channel?.postMessage('changed');
      notify();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export const takesChannel = createTakesChannel();
