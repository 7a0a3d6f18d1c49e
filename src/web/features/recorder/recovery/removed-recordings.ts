import { createStore, type Store } from '#base/store.ts';

const store = createStore<ReadonlySet<string>>(new Set());

/** The recordings whose permanent deletion this page has heard of. */
export const removedRecordings: Store<ReadonlySet<string>> = store;

export function addRemoved(recordingId: string): void {
  store.set(new Set([...store.getSnapshot(), recordingId]));
}
