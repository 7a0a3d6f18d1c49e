import { useSyncExternalStore } from 'react';
import type { Store } from '#base/store.ts';

/** Reads a store outside React and rerenders when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
}
