import { serviceWorkers } from '#device/site-data/service-workers.ts';
import { readText, writeText } from '#device/site-data/text-store.ts';

/** Longer than any file takes that a service worker has on the device. */
const afterChangeMs = 5000;
/** Longer than the slowest device needs to begin with files that it has. */
const longestMs = 20_000;
const storageKey = 'reopened';

/** Not twice in a row: where it does not help, the page stays as it is. */
function reopenOnce(): void {
  if (readText('sessionStorage', storageKey) !== null) return;
  // Where storage is refused, whether it was tried is not known.
  if (writeText('sessionStorage', storageKey, '1')) location.reload();
}

const forgetReopening = (): void => {
  writeText('sessionStorage', storageKey, null);
};

/**
 * A service worker that another takes the place of may leave requests of a page unanswered for good (seen in
 * Chromium, rarely): such a page would stay the picture it is. It is opened again, which loses nothing yet.
 * The undo is for the program to call once it is there.
 */
export function reloadIfStalled(): () => void {
  const watch = new AbortController();
  const inTime = (milliseconds: number): void => {
    setTimeout(() => {
      if (!watch.signal.aborted) reopenOnce();
    }, milliseconds);
  };
  const workers = serviceWorkers();
  if (workers?.controller) inTime(longestMs);
  workers?.addEventListener(
    'controllerchange',
    () => {
      inTime(afterChangeMs);
    },
    { once: true, signal: watch.signal },
  );
  return () => {
    watch.abort();
    forgetReopening();
  };
}
