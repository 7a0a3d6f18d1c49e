import { createStore, type Store } from '#base/store.ts';
import type { RecoveredTake } from './recovery.ts';

const store = createStore<readonly RecoveredTake[]>([]);

/** Takes recovered since this page was opened. The screen shows them until they are dismissed. */
export const recoveredTakes: Store<readonly RecoveredTake[]> = store;

export function addRecovered(take: RecoveredTake): void {
  store.set([...store.getSnapshot(), take]);
}

export function dismissRecovered(takeId: string): void {
  store.set(store.getSnapshot().filter(({ id }) => id !== takeId));
}
