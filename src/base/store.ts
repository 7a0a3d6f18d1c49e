/** State outside React, to be listened to: `useSyncExternalStore(store.subscribe, store.getSnapshot)`. */
export interface Store<State> {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => State;
}

export interface WritableStore<State> extends Store<State> {
  set: (next: State) => void;
}

/** A store that holds one value and tells its listeners when another takes its place. */
export function createStore<State>(first: State): WritableStore<State> {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    getSnapshot: () => state,
    set(next) {
      if (Object.is(next, state)) return;
      state = next;
      for (const listener of listeners) listener();
    },
  };
}
