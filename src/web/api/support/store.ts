/** State outside React: `useSyncExternalStore(store.subscribe, store.getSnapshot)`. */
export interface Store<State> {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => State;
}

export interface WritableStore<State> extends Store<State> {
  set: (next: State) => void;
}

export function createStore<State>(first: State): WritableStore<State> {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
    getSnapshot: () => state,
    set(next) {
      if (Object.is(next, state)) return;
      state = next;
      for (const listener of listeners) listener();
    },
  };
}
