import { createStore, type Store } from '#base/store.ts';

export interface MicrophoneChoice {
  deviceId: string;
  label: string;
}

const store = createStore<readonly MicrophoneChoice[]>([]);

/**
 * Reads the list of microphones. Browsers reveal names and ids only to pages with permission; before that the list
 * is empty.
 */
async function readDevices(): Promise<void> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const named = devices.filter(
    ({ kind, deviceId, label }) =>
      kind === 'audioinput' && label !== '' && !['', 'default', 'communications'].includes(deviceId),
  );
  store.set(named.map(({ deviceId, label }) => ({ deviceId, label })));
}

let isWatching = false;

/** The microphones of this device, kept up to date. */
export const microphones: Store<readonly MicrophoneChoice[]> & { refresh: () => void } = {
  getSnapshot: () => store.getSnapshot(),
  subscribe: (listener) => {
    if (!isWatching && navigator.mediaDevices !== undefined) {
      isWatching = true;
      navigator.mediaDevices.addEventListener('devicechange', () => {
        void readDevices();
      });
      void readDevices();
    }
    return store.subscribe(listener);
  },
  refresh: () => {
    if (navigator.mediaDevices !== undefined) void readDevices();
  },
};
