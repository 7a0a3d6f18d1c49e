import { recordingLockName } from '#device/takes/recording-lock.ts';
import type { TakeMarker, TakeRecord } from '#device/records/take-record.ts';
import { changeTakeFor } from '#device/takes/asked-change.ts';
import { viewer } from '#device/takes/viewer.ts';
import { changeSentMarker, sendNewMarker } from './take-actions.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';

type Markers = TakeRecord['markers'];

/**
 * Changes the markers of a stopped take. Returns false if a worker holds the take, because it would overwrite the
 * change with its own list.
 */
async function change(
  takeId: string,
  changed: (markers: Markers) => Markers,
  sendChange: () => Promise<void>,
): Promise<boolean> {
  const asker = viewer.getSnapshot();
  const isDone = await navigator.locks.request(
    recordingLockName(takeId),
    { ifAvailable: true },
    async (lock) => {
      if (!lock) return false;
      await sendChange();
      await changeTakeFor(asker, takeId, (take) => ({
        ...take,
        markers: changed(take.markers),
        updatedAtMs: Date.now(),
      }));
      return true;
    },
  );
  takesChannel.notify();
  return isDone;
}

/**
 * Changes markers of takes on this device for the player. Each function resolves to false if the take is in use.
 */
export const localMarkers = {
  add: async (takeId: string, marker: TakeMarker): Promise<boolean> => {
    const isDone = await change(
      takeId,
      (markers) =>
        [...markers.filter(({ id }) => id !== marker.id), { ...marker, sent: false }].toSorted(
          (a, b) => a.atMs - b.atMs,
        ),
      () => Promise.resolve(),
    );
    if (isDone) await sendNewMarker(takeId, marker.id);
    return isDone;
  },
  rename: (takeId: string, markerId: string, label: string): Promise<boolean> =>
    change(
      takeId,
      (markers) => markers.map((marker) => (marker.id === markerId ? { ...marker, label } : marker)),
      () => changeSentMarker(takeId, markerId, label),
    ),
  remove: (takeId: string, markerId: string): Promise<boolean> =>
    change(
      takeId,
      (markers) => markers.filter(({ id }) => id !== markerId),
      () => changeSentMarker(takeId, markerId, null),
    ),
};
