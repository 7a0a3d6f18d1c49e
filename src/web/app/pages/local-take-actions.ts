import { deviceTakes, whenDeviceRead } from '#device/takes/device-takes.ts';
import { localTakeAudio, localTakePeaks, localTakeSections } from '#device/takes/take-audio.ts';
import {
  dropLocalTake,
  purgeLocalTake,
  renameLocalTake,
  restoreLocalTake,
  trashLocalTake,
} from '#web/features/recorder/recovery/take-actions.ts';
import type { LocalTakeActions } from '#web/features/library/actions/use-recording-actions.ts';

/** What the library does to a recording that this device has a copy of. */
export const localTakeActions: LocalTakeActions = {
  loading: whenDeviceRead,
  has: (takeId) => deviceTakes.getSnapshot().takes.some(({ id }) => id === takeId),
  rename: renameLocalTake,
  moveToTrash: trashLocalTake,
  restore: restoreLocalTake,
  deleteForGood: purgeLocalTake,
};

/** What was deleted for good on the server leaves this device too. */
export async function dropCopies(ids: readonly string[]): Promise<void> {
  await whenDeviceRead();
  await Promise.all(ids.filter(localTakeActions.has).map(dropLocalTake));
}

/** What a take on this device sounds and looks like. */
export const localTakeFiles = { audio: localTakeAudio, sections: localTakeSections, peaks: localTakePeaks };
