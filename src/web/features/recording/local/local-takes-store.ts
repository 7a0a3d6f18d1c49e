import type { TakeRecord } from '#device/takes/take-record.ts';
import { second } from '#base/duration.ts';
import { type Store, waitFor } from '#base/store.ts';
import { localTakesState, type LocalTakesState } from './local-takes-state.ts';

export { dismissRecovered } from './local-takes-state.ts';

/** Not needed for the first screen: the reader of the device, and what recovers lost takes. */
const loadTakesHere = () => import('./takes-here.ts');

let isStarted = false;

function start(): void {
  if (isStarted) return;
  isStarted = true;
  loadTakesHere()
    .then(({ followTakesHere }) => {
      followTakesHere();
    })
    .catch(() => {
      isStarted = false;
    });
}

/**
 * The takes on this device, for the person in front of it. Looks at the device when it is first listened to.
 */
export const localTakes: Store<LocalTakesState> = {
  getSnapshot: localTakesState.getSnapshot,
  subscribe: (listener) => {
    start();
    return localTakesState.subscribe(listener);
  },
};

/** Where the device cannot be read, what is done to a recording must not wait for it. */
const longestLookMs = 5 * second;

/** Null once this device was looked at for the first time; until then, when it was. */
export function lookingHere(): Promise<void> | null {
  if (localTakes.getSnapshot().isLoaded) return null;
  const looked = waitFor([localTakes], () => localTakes.getSnapshot().isLoaded);
  return Promise.race([
    looked,
    new Promise<void>((resolve) => {
      setTimeout(resolve, longestLookMs);
    }),
  ]);
}

/**
 * Lets go of a take that is being recovered, so that it can go on in this page. @throws TypeError when it is
 * gone
 */
export const leaveToRecorder = async (takeId: string): Promise<TakeRecord> =>
  (await loadTakesHere()).leaveTakeToRecorder(takeId);

/** Looks again for takes that need recovery, as this one: its worker in this page broke, or did not begin. */
export function recoverSoon(takeId: string): void {
  void loadTakesHere()
    .then(({ recoverTakeSoon: recover }) => {
      recover(takeId);
    })
    .catch(() => undefined);
}
