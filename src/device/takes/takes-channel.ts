import { openBroadcast } from '#device/site-data/broadcast.ts';

/** Notifies every page of this browser, this one included, that the takes on this device changed. */
interface TakesChannel {
  notify: () => void;
  subscribe: (listener: () => void) => () => void;
}

function createTakesChannel(): TakesChannel {
  const listeners = new Set<() => void>();
  const notifyHere = () => {
    for (const listener of listeners) listener();
  };
  let channel: BroadcastChannel | null | undefined;
  const opened = () => {
    if (channel !== undefined) return channel;
    channel = openBroadcast('takes');
    channel?.addEventListener('message', notifyHere);
    return channel;
  };
  return {
    notify: () => {
      opened()?.postMessage('changed');
      notifyHere();
    },
    subscribe: (listener) => {
      opened();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export const takesChannel = createTakesChannel();
