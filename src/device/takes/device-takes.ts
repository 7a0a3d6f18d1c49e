import { second } from '#base/duration.ts';
import { waitFor, type Store } from '#base/store.ts';
import { deviceTakesState, type DeviceTakesState } from './device-takes-state.ts';

/** Loaded lazily, because the first screen does not need the code that reads the device. */
const startWatching = async (): Promise<void> => (await import('./watch-takes.ts')).watchTakes();

const starts = [startWatching];
let isStarted = false;

/**
 * Runs `start` when the device is first read, or now if that has happened. The recorder uses it to recover lost
 * takes.
 */
export function startWithDeviceTakes(start: () => Promise<void>): void {
  starts.push(start);
  if (isStarted) run([start]);
}

function startOnce(): void {
  if (isStarted) return;
  isStarted = true;
  run(starts);
}

/** A start function may fail to load. All of them run again after this time, or earlier for the next listener. */
const pauseMs = 30 * second;

/** Each start function must be safe to run twice. */
function run(someStarts: readonly (() => Promise<void>)[]): void {
  Promise.all(someStarts.map((start) => start())).catch(() => {
    isStarted = false;
    setTimeout(startOnce, pauseMs);
  });
}

/** The takes on this device that the viewer may see. The first subscription starts reading the device. */
export const deviceTakes: Store<DeviceTakesState> = {
  getSnapshot: deviceTakesState.getSnapshot,
  subscribe: (listener) => {
    startOnce();
    return deviceTakesState.subscribe(listener);
  },
};

/** A device that cannot be read delays changes of a recording by at most this long. */
const readTimeoutMs = 5 * second;

/**
 * Null if the device has been read. Otherwise a promise that resolves once it has been read, or after five
 * seconds.
 */
export function whenDeviceRead(): Promise<void> | null {
  const isLoaded = () => deviceTakes.getSnapshot().isLoaded;
  if (isLoaded()) return null;
  const timeout = new Promise<void>((resolve) => {
    setTimeout(resolve, readTimeoutMs);
  });
  return Promise.race([waitFor([deviceTakes], isLoaded), timeout]);
}
