/** State outside React: `useSyncExternalStore(store.subscribe, store.getSnapshot)`. */
export interface Store<State> {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => State;
}

export interface WritableStore<State> extends Store<State> {
  set: (next: State) => void;
}

/** A store that holds one value and notifies its listeners when the value changes. */
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

interface Subscribable {
  subscribe: (listener: () => void) => () => void;
}

/** Resolves as soon as the condition is true; checks it again whenever one of the sources changes. */
export const waitFor = (sources: readonly Subscribable[], condition: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (condition()) {
      resolve();
      return;
    }
    const unsubscribes = sources.map((source) =>
      source.subscribe(() => {
        if (!condition()) return;
        for (const unsubscribe of unsubscribes) unsubscribe();
        resolve();
      }),
    );
  });
