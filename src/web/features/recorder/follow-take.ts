import type { Store } from '#base/store.ts';
import type { TakeState } from './take/take.ts';

/** The part that follows takes; nothing of it is needed before the first one. */
export const loadFollowers = () => import('./take-followers.ts');

/**
 * Brings in, with the first take, what happens beside the screen; where it can't be fetched the screen still
 * says it all.
 */
export function followTake(recorder: Store<TakeState> & { signalled: () => void }): void {
  const before = recorder.getSnapshot();
  const stopWaiting = recorder.subscribe(() => {
    stopWaiting();
    void loadFollowers()
      .then(({ startFollowing }) => {
        startFollowing(recorder, before);
      })
      .catch(() => undefined);
  });
}
