import { hour } from '#base/duration.ts';
import { takesFor } from './device-take.ts';
import { deviceTakesState } from './device-takes-state.ts';
import { heldTakeIds, whenWriterEnds } from './recording-lock.ts';
import { takesToRemove } from './recovery-plan.ts';
import type { TakeRecord } from './take-record.ts';
import { takesChannel } from './takes-channel.ts';
import { listTakes, removeTake } from './takes-store.ts';
import { isVisibleTo, viewer } from './viewer.ts';

/**
 * The takes on this device and which of them a worker holds. A browser that rejects storage has no takes, one
 * that rejects locks has no writers; the recorder says so when a take is to start.
 */
export async function readDevice(): Promise<{
  records: readonly TakeRecord[];
  heldTakeIds: ReadonlySet<string>;
}> {
  const [records, held] = await Promise.all([
    listTakes().catch(() => []),
    heldTakeIds().catch(() => new Set<string>()),
  ]);
  return { records, heldTakeIds: held };
}

const watched = new Set<string>();
const writerEndListeners = new Set<() => void>();

/** Calls back whenever the writer of a take has ended, also by a crash, and the takes were read again. */
export function onWriterEnded(listener: () => void): void {
  writerEndListeners.add(listener);
}

/** The lock of a writer becomes free when it ends; a tab that crashed leaves no other sign. */
function watchWriters(held: ReadonlySet<string>): void {
  for (const takeId of held) {
    if (watched.has(takeId)) continue;
    watched.add(takeId);
    void whenWriterEnds(takeId)
      .finally(() => watched.delete(takeId))
      .then(refreshDeviceTakes, refreshDeviceTakes)
      .then(() => {
        for (const listener of writerEndListeners) listener();
      });
  }
}

/** Reads the takes on this device again. */
export async function refreshDeviceTakes(): Promise<void> {
  const { records, heldTakeIds: held } = await readDevice();
  watchWriters(held);
  const userId = viewer.getSnapshot();
  deviceTakesState.set({
    isLoaded: true,
    takes: takesFor(records, { userId, heldTakeIds: held }),
    hasOtherOwners: records.some((record) => !isVisibleTo(record, userId)),
  });
}

/** Hides the takes of the viewer before, also where this device takes long to be read. */
function hideOwnedTakes(): void {
  const state = deviceTakesState.getSnapshot();
  deviceTakesState.set({ ...state, takes: state.takes.filter(({ facts }) => facts.owner === 'nobody') });
}

/** Removes copies and trashed takes whose time is over. */
async function removeExpired(): Promise<void> {
  const { records, heldTakeIds: held } = await readDevice();
  const expired = takesToRemove(records, held, Date.now());
  for (const { id } of expired) await removeTake(id);
  if (expired.length > 0) takesChannel.notify();
}

let isWatching = false;

/** Reads this device now and whenever a take, the viewer or a writer may have changed. */
export function watchTakes(): void {
  if (isWatching) return;
  isWatching = true;
  const refresh = () => {
    void refreshDeviceTakes();
  };
  takesChannel.subscribe(refresh);
  viewer.subscribe(() => {
    hideOwnedTakes();
    refresh();
  });
  // A page from the back-forward cache shows the takes of the time when it was left.
  globalThis.addEventListener('pageshow', (event) => {
    if ('persisted' in event && event.persisted === true) refresh();
  });
  setInterval(() => {
    void removeExpired().catch(() => undefined);
  }, hour);
  void refreshDeviceTakes()
    .then(removeExpired)
    .catch(() => undefined);
}
