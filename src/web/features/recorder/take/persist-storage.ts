import type { Store } from '#base/store.ts';
import { isRunning, type TakeState } from './take.ts';

/** Firefox asks the person; the others decide by themselves and say nothing. */
const asksTheUser = () => navigator.userAgent.includes('Firefox/');

async function persist(): Promise<void> {
  const { storage } = navigator;
  if (!storage?.persist || (await storage.persisted())) return;
  await storage.persist();
}

/**
 * Asks the browser once not to clear our files when it runs short, from the first take on: while it runs
 * where nobody is asked, and after it where a question would come in the middle of it.
 */
export function askToPersist(take: Store<TakeState>): void {
  const isDue = () =>
    asksTheUser() ? take.getSnapshot().status === 'stopped' : isRunning(take.getSnapshot());
  const ask = () => {
    if (!isDue()) return;
    stop();
    void persist().catch(() => undefined);
  };
  const stop = take.subscribe(ask);
  ask();
}

/** Asks the browser to promise that it deletes nothing of this site; false where it declines or cannot promise. */
export async function requestPersistence(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}
