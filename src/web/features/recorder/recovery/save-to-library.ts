import { newId } from '#device/new-id.ts';
import { recordingLockName } from '#device/takes/recording-lock.ts';
import { savedAgain } from '#device/takes/saved-again.ts';
import { replaceTake } from '#device/takes/takes-store.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { addTabTake } from '#device/takes/viewer.ts';
import { releaseTake } from '#web/features/recorder/capture/take-worker.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { recoverSoon } from './load-recovery.ts';

/**
 * Gives a take whose recording was deleted permanently a new id, under which its owner's session registers and uploads
 * it. Does nothing if the take is not the signed-in user's, or was not deleted.
 */
export async function saveToLibrary(takeId: string): Promise<void> {
  const id = newId();
  releaseTake(takeId);
  // The lock is released once the worker has closed the files.
  const isSaved = await navigator.locks.request(recordingLockName(takeId), () =>
    replaceTake(takeId, (take) => savedAgain(take, { id, userId: serverRegistry.userId() })),
  );
  if (!isSaved) return;
  addTabTake(id);
  takesChannel.notify();
  recoverSoon(id);
}
