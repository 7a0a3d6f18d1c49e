import { serviceWorkers } from '#device/site-data/service-workers.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';

/** Longer than a service worker takes to serve any file that it has on the device. */
const afterChangeMs = 5000;
/** Longer than the slowest device takes to start the app from files on the device. */
const maxMs = 20_000;
const storageKey = 'reopened';

/** Reloads, but not twice in a row: if it did not help, the page stays as it is. */
function reloadOnce(): void {
  if (readText('sessionStorage', storageKey) !== null) return;
  // Without storage there is no record of an earlier attempt, so nothing is reloaded.
  if (writeText('sessionStorage', storageKey, '1')) location.reload();
}

const clearReloadMark = (): void => {
  writeText('sessionStorage', storageKey, null);
};

/**
 * A service worker that is being replaced may leave requests of a page unanswered for good (seen in Chromium,
 * rarely). Such a page would stay prerendered. Reloading it loses nothing yet.
 * @returns stops watching; the app calls it once it has rendered
 */
export function reloadIfStalled(): () => void {
  const watch = new AbortController();
  const reloadAfter = (milliseconds: number): void => {
    setTimeout(() => {
      if (!watch.signal.aborted) reloadOnce();
    }, milliseconds);
  };
  const workers = serviceWorkers();
  if (workers?.controller) reloadAfter(maxMs);
  workers?.addEventListener(
    'controllerchange',
    () => {
      reloadAfter(afterChangeMs);
    },
    { once: true, signal: watch.signal },
  );
  return () => {
    watch.abort();
    clearReloadMark();
  };
}
