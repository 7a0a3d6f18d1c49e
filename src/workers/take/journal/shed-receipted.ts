import { recordingLockName } from '#device/takes/recording-lock.ts';
import { hasPendingChanges } from '#device/records/take-record.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { listTakes, removeTake } from '#device/takes/takes-store.ts';

/** A few minutes of sound, and the reserve of the browser. */
const usuallyWantedBytes = 16 * 1024 * 1024;

/**
 * Frees space on a full device. Deletes local copies of takes that the server has receipted completely, oldest
 * first, until `wantedBytes` are free. Skips takes that a worker holds and takes with pending changes. Returns the
 * number of freed bytes; 0 if there was nothing to delete.
 */
export async function shedReceipted(wantedBytes = usuallyWantedBytes): Promise<number> {
  let freedBytes = 0;
  for (const { id, receiptAtMs, sizeBytes, pendingChanges } of await listTakes()) {
    if (freedBytes >= wantedBytes) break;
    if (receiptAtMs === null || hasPendingChanges({ pendingChanges })) continue;
    const isRemoved = await navigator.locks.request(
      recordingLockName(id),
      { ifAvailable: true },
      async (lock) => {
        if (lock !== null) await removeTake(id);
        return lock !== null;
      },
    );
    if (isRemoved) freedBytes += sizeBytes;
  }
  if (freedBytes > 0) takesChannel.notify();
  return freedBytes;
}
