import { recordingLockName } from '#device/takes/recording-lock.ts';
import { hasPendingChanges } from '#device/takes/take-record.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { listTakes, removeTake } from '#device/takes/takes-store.ts';

/** Some minutes of sound, and what the browser reserves beyond. */
const usuallyWantedBytes = 16 * 1024 * 1024;

/**
 * Makes room on a full device: removes copies of takes that the server has receipted whole, the oldest first,
 * until so many bytes are free. Takes that a worker holds stay, and those of which the server has something
 * to hear. Answers how many bytes that freed; 0 when there was nothing to remove.
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
