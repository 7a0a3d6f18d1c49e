import type { Store } from '#base/store.ts';
import { deviceUsageOf, type DeviceUsage } from '#device/takes/device-usage.ts';
import { ownerStandings } from '#device/takes/owner-standings.ts';
import { readStorageEstimate, type StorageEstimate } from '#device/takes/storage-estimate.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { viewer } from '#device/takes/viewer.ts';
import { readDevice } from '#device/takes/watch-takes.ts';
import { userScope } from '#web/api/user-scope.ts';
import { transfers } from '#web/recordings/state/transfers.ts';
import { storedImportBytes } from '#workers/import/import-files.ts';

export interface UsageSnapshot {
  usage: DeviceUsage;
  estimate: StorageEstimate;
}

const store = userScope.createStore<UsageSnapshot | null>(null);

/** Reads the device again. If the browser blocks storage, the usage is empty. */
export async function refreshUsage(): Promise<void> {
  const [{ records, heldTakeIds }, estimate, importBytes] = await Promise.all([
    readDevice(),
    readStorageEstimate(),
    storedImportBytes(),
  ]);
  const standings = ownerStandings.getSnapshot();
  const usage = deviceUsageOf(records, { ...viewer.getSnapshot(), heldTakeIds, standings }, importBytes);
  store.set({ usage, estimate });
}

/** The storage used on this device; null until it was read. It is updated while there is a listener. */
export const deviceUsage: Store<UsageSnapshot | null> = {
  getSnapshot: store.getSnapshot,
  subscribe: (listener) => {
    const refresh = () => {
      void refreshUsage();
    };
    const stops = [
      store.subscribe(listener),
      takesChannel.subscribe(refresh),
      viewer.subscribe(refresh),
      ownerStandings.subscribe(refresh),
      transfers.subscribe(refresh),
    ];
    refresh();
    return () => {
      for (const stop of stops) stop();
    };
  },
};
