import { useSyncExternalStore } from 'react';
import type { Store } from '#base/store.ts';

/** Reads a store that lives outside React and renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
}
