import { hour, second } from '#base/duration.ts';
import type { Store } from '#base/store.ts';
import { type Connection, isUnreachable, onReachableAgain } from '#web/api/connection/connection.ts';

/**
 * The pause after this number of failures in a row, in milliseconds: seconds at first, an hour at most, because
 * the device may not have enough space for the build.
 */
const pauseMs = (failures: number): number => Math.min(hour, 2 * second * 4 ** (failures - 1));

/** Calls back when the installation of a build has failed or succeeded. */
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
 * Checks for a newer build every hour, and when the server is back, which may have been updated meanwhile. A build
 * that could not be downloaded completely is retried soon, at growing intervals: a browser drops a service worker
 * whose installation failed, and an update requested while it still fails is merged with it and dropped too
 * (Service Workers, "Schedule Job").
 */
export function retryBuild(registration: ServiceWorkerRegistration, connection: Store<Connection>): void {
  let failures = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    clearTimeout(retryTimer);
    // If the server is unreachable, the check follows when it is back.
    if (!isUnreachable(connection.getSnapshot())) registration.update().catch(retryLater);
  };
  const retryLater = () => {
    failures += 1;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(check, pauseMs(failures));
  };
  const followNext = () => {
    if (registration.installing)
      followInstalling(registration.installing, retryLater, () => {
        failures = 0;
      });
  };
  registration.addEventListener('updatefound', followNext);
  followNext();
  setInterval(check, hour);
  onReachableAgain(check, connection);
}
