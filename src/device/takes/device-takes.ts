import { second } from '#base/duration.ts';
import type { Store } from '#base/store.ts';
import { deviceTakesState, type DeviceTakesState } from './device-takes-state.ts';

/** Not needed for the first screen: what reads the device. */
const startWatching = async (): Promise<void> => (await import('./watch-takes.ts')).watchTakes();

const starts = [startWatching];
let isStarted = false;

/** Adds what starts when the device is read for the first time; the recorder recovers lost takes then. */
export function startWithDeviceTakes(start: () => Promise<void>): void {
  starts.push(start);
}

function startOnce(): void {
  if (isStarted) return;
  isStarted = true;
  Promise.all(starts.map((start) => start())).catch(() => {
    isStarted = false;
  });
}

/** The takes on this device that the viewer may see. The device is read when the first listener comes. */
export const deviceTakes: Store<DeviceTakesState> = {
  getSnapshot: deviceTakesState.getSnapshot,
  subscribe: (listener) => {
    startOnce();
    return deviceTakesState.subscribe(listener);
  },
};

/** A device that cannot be read delays a change of a recording no longer than this. */
const longestReadMs = 5 * second;

/** Null once this device was read; until then, a promise that resolves when it was, or after five seconds. */
export function whenDeviceRead(): Promise<void> | null {
  if (deviceTakes.getSnapshot().isLoaded) return null;
  return new Promise((resolve) => {
    const timer = setTimeout(end, longestReadMs);
    const stop = deviceTakes.subscribe(() => {
      if (deviceTakes.getSnapshot().isLoaded) end();
    });
    function end(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}
