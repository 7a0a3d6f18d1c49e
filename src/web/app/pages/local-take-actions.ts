import { localTakes } from '#web/features/recording/local/local-takes-store.ts';
import { purgeLocalTake, renameLocalTake, restoreLocalTake, trashLocalTake } from '#web/features/recording/local-takes.ts';
import type { LocalTakeActions } from '#web/features/library/actions/use-recording-actions.ts';

/** What the library does to a recording that this device has a copy of. */
export const localTakeActions: LocalTakeActions = {
  has: (takeId) => localTakes.getSnapshot().takes.some(({ id }) => id === takeId),
  rename: renameLocalTake,
  moveToTrash: trashLocalTake,
  restore: restoreLocalTake,
  deleteForGood: purgeLocalTake,
};
