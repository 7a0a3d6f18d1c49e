import { createStore, type Store } from '#base/store.ts';

/** The prompt whether old writes are still wanted. */
export interface OldWritesQuestion {
  writes: number;
  answer: (isWanted: boolean) => void;
}

const store = createStore<OldWritesQuestion | null>(null);

/** The open prompt; null if there is none. */
export const oldWritesQuestion: Store<OldWritesQuestion | null> = store;

/** Prompts the user. Resolves with false if the writes are no longer wanted. */
export function confirmOldWrites(writes: number): Promise<boolean> {
  return new Promise((resolve) => {
    store.set({
      writes,
      answer: (isWanted) => {
        store.set(null);
        resolve(isWanted);
      },
    });
  });
}
