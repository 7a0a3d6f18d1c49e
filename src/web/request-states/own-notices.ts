import { useEffect } from 'react';
import { createStore, type Store } from '#base/store.ts';

const count = createStore(0);

/**
 * How many places on the screen say themselves that the server doesn't answer: the notice above the page then
 * leaves it to them.
 */
export const ownNotices: Store<number> = count;

/** Counts the place of the component that calls it, for as long as it is on the screen. */
export function useOwnNotice(): void {
  useEffect(() => {
    count.set(count.getSnapshot() + 1);
    return () => {
      count.set(count.getSnapshot() - 1);
    };
  }, []);
}
