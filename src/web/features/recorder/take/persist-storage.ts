import type { Store } from '#base/store.ts';
import { isRunning, type TakeState } from './take.ts';

/** Firefox prompts the user; other browsers decide without a prompt. */
const promptsUser = () => navigator.userAgent.includes('Firefox/');

/**
 * Requests persistent storage once, so that the browser does not evict our files when space is short: during the
 * first take, or after it if the browser prompts the user.
 * @param explain called before the browser prompts, because its prompt does not say what the storage is for
 */
export function persistOnFirstTake(take: Store<TakeState>, explain: () => void): void {
  const isDue = () =>
    promptsUser() ? take.getSnapshot().status === 'stopped' : isRunning(take.getSnapshot());
  const request = () => {
    if (!isDue()) return;
    stop();
    void requestExplained(explain);
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

async function requestExplained(explain: () => void): Promise<void> {
  if (promptsUser() && (await willPrompt())) explain();
  await requestPersistence();
}

/** Whether the user has not answered the browser's question about storage yet. */
async function willPrompt(): Promise<boolean> {
  const status = await navigator.permissions
    .query({ name: 'persistent-storage' })
    .catch(() => ({ state: 'prompt' as const }));
  return status.state === 'prompt';
}
