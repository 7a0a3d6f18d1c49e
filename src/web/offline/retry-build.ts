import { hour, second } from '#base/duration.ts';
import type { Store } from '#base/store.ts';
import { type Connection, isUnreachable, onReachableAgain } from '#web/api/connection/connection.ts';

/**
 * How long to wait after so many failures in a row: seconds at first, an hour at most, for a build may be one
 * this device has no room for.
 */
const pauseMs = (failures: number): number => Math.min(hour, 2 * second * 4 ** (failures - 1));

/** Calls back when a build that came could not be kept, or was kept. */
function followInstalling(worker: ServiceWorker, onFailed: () => void, onInstalled: () => void): void {
  let isInstalled = false;
  worker.addEventListener('statechange', () => {
    if (worker.state === 'installed') {
      isInstalled = true;
      onInstalled();
    } else if (worker.state === 'redundant' && !isInstalled) {
      onFailed();
    }
  });
}

/**
 * Asks for a newer build every hour, and when the server comes back: it may have been away to be renewed. One
 * that could not be fetched whole is asked for again soon, at longer and longer intervals: a browser forgets
 * a service worker whose installation failed, and while it still fails an update asked for in between is
 * taken for the same one and forgotten with it (Service Workers, "Schedule Job").
 */
export function retryBuild(registration: ServiceWorkerRegistration, connection: Store<Connection>): void {
  let failures = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    clearTimeout(again);
    // One that is gone is asked as soon as it is back.
    if (!isUnreachable(connection.getSnapshot())) registration.update().catch(retryLater);
  };
  const retryLater = () => {
    failures += 1;
    clearTimeout(again);
    again = setTimeout(ask, pauseMs(failures));
  };
  const followNext = () => {
    if (registration.installing)
      followInstalling(registration.installing, retryLater, () => {
        failures = 0;
      });
  };
  registration.addEventListener('updatefound', followNext);
  followNext();
  setInterval(ask, hour);
  onReachableAgain(ask, connection);
}
