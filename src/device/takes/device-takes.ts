import { second } from '#base/duration.ts';
import { waitFor, type Store } from '#base/store.ts';
import { deviceTakesState, type DeviceTakesState } from './device-takes-state.ts';

/** Not needed for the first screen: what reads the device. */
const startWatching = async (): Promise<void> => (await import('./watch-takes.ts')).watchTakes();

const starts = [startWatching];
let isStarted = false;

/** Adds what starts when the device is read for the first time, or now if it was; the recorder recovers lost takes then. */
export function startWithDeviceTakes(start: () => Promise<void>): void {
  starts.push(start);
  if (isStarted) run([start]);
}

function startOnce(): void {
  if (isStarted) return;
  isStarted = true;
  run(starts);
}

/** The next listener tries again if one fails; every start may run twice. */
function run(someStarts: readonly (() => Promise<void>)[]): void {
  Promise.all(someStarts.map((start) => start())).catch(() => {
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
const readTimeoutMs = 5 * second;

/** Null once this device was read; until then, a promise that resolves when it was, or after five seconds. */
export function whenDeviceRead(): Promise<void> | null {
  const isLoaded = () => deviceTakes.getSnapshot().isLoaded;
  if (isLoaded()) return null;
  const timeout = new Promise<void>((resolve) => {
    setTimeout(resolve, readTimeoutMs);
  });
  return Promise.race([waitFor([deviceTakes], isLoaded), timeout]);
}
