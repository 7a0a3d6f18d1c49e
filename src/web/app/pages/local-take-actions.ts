import { deviceTakes, whenDeviceRead } from '#device/takes/device-takes.ts';
import { localTakeAudio, localTakePeaks, localTakeSections } from '#device/takes/take-audio.ts';
import {
  dropLocalTake,
  purgeLocalTake,
  renameLocalTake,
  restoreLocalTake,
  trashLocalTake,
  undoTrashOfLocalTake,
} from '#web/features/recorder/recovery/take-actions.ts';
import type { LocalTakeActions } from '#web/features/library/actions/use-recording-actions.ts';

/** The library's actions for a recording that is on this device. */
export const localTakeActions: LocalTakeActions = {
  loading: whenDeviceRead,
  has: (takeId) => deviceTakes.getSnapshot().takes.some(({ id }) => id === takeId),
  rename: renameLocalTake,
  moveToTrash: trashLocalTake,
  restore: restoreLocalTake,
  undoTrash: undoTrashOfLocalTake,
  deletePermanently: purgeLocalTake,
};

/** Deletes the local copies of recordings that were permanently deleted on the server. */
export async function dropCopies(ids: readonly string[]): Promise<void> {
  await whenDeviceRead();
  await Promise.all(ids.filter(localTakeActions.has).map(dropLocalTake));
}

/** The audio and peaks of a take on this device. */
export const localTakeFiles = { audio: localTakeAudio, sections: localTakeSections, peaks: localTakePeaks };
