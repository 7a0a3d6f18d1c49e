import type { Store } from '#base/store.ts';
import { isRunning, type TakeState } from './take.ts';

/** Firefox prompts the user; other browsers decide without a prompt. */
const promptsUser = () => navigator.userAgent.includes('Firefox/');

/**
 * Requests persistent storage once, so that the browser does not evict our files when space is short: during the
 * first take, or after it if the browser prompts the user.
 */
export function persistOnFirstTake(take: Store<TakeState>): void {
  const isDue = () =>
    promptsUser() ? take.getSnapshot().status === 'stopped' : isRunning(take.getSnapshot());
  const request = () => {
    if (!isDue()) return;
    stop();
    void requestPersistence();
  };
  const stop = take.subscribe(request);
  request();
}

/** Requests persistent storage for this site; false if the browser declines or cannot grant it. */
export async function requestPersistence(): Promise<boolean> {
  const { storage } = navigator;
  if (!storage?.persist) return false;
  return (await storage.persisted().catch(() => false)) || storage.persist().catch(() => false);
}
