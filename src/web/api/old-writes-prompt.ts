import { createStore, type Store } from '#base/store.ts';

/** The question whether writes that waited for long are still wanted. */
export interface OldWritesQuestion {
  writes: number;
  answer: (isWanted: boolean) => void;
}

const store = createStore<OldWritesQuestion | null>(null);

/** The question that stands, if one does. */
export const oldWritesQuestion: Store<OldWritesQuestion | null> = store;

/** Puts the question to the person; false when they do not want them any more. */
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
