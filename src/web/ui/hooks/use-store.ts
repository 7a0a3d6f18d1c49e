import { useSyncExternalStore } from 'react';

export interface Store<T> {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => T;
}

/** Reads a store that lives outside React and renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
}
