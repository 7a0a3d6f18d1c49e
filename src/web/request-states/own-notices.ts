import { useEffect } from 'react';
import { createStore, type Store } from '#base/store.ts';

const count = createStore(0);

/**
 * The number of components on the screen that say themselves that the server doesn't respond. The notice above the
 * page is hidden then.
 */
export const ownNotices: Store<number> = count;

/** Counts the calling component for as long as it is mounted. */
export function useOwnNotice(): void {
  useEffect(() => {
    count.set(count.getSnapshot() + 1);
    return () => {
      count.set(count.getSnapshot() - 1);
    };
  }, []);
}
