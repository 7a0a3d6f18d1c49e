import { backOffMs } from '#web/api/support/back-off.ts';

/**
 * A page that is hidden for less than this keeps its connection: looking at another window is no farewell.
 */
const graceMs = 30_000;

/** Reports at once that the page is looked at, and with a delay that it no longer is. */
export function whenVisibilityChanges(report: (isVisible: boolean) => void): void {
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(leaving);
    if (document.visibilityState === 'visible') report(true);
    else leaving = setTimeout(() => report(false), graceMs);
  };
  document.addEventListener('visibilitychange', look);
  look();
}

/** Waits before the next try, less when the network comes back; ends at once on abort. */
export function pauseBeforeReconnect(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, backOffMs(failures));
    addEventListener('online', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
