import { hour } from '#base/duration.ts';
import { takesFor } from './device-take.ts';
import { deviceTakesState } from './device-takes-state.ts';
import { otherOwnersOf } from './other-owners.ts';
import { forgetOtherNames, ownerNameOf } from './owner-names.ts';
import { forgetOtherStandings, ownerStandings } from './owner-standings.ts';
import { heldTakeIds, whenWriterEnds } from './recording-lock.ts';
import { takesToRemove } from './recovery-plan.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takesChannel } from './takes-channel.ts';
import { listTakes, removeTake } from './takes-store.ts';
import { isVisibleTo, viewer } from './viewer.ts';

/**
 * Reads the takes on this device and which of them a worker holds. If the browser rejects storage, there are no
 * takes; if it rejects locks, there are no writers. The recorder reports that when a take is started.
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

/**
 * Calls the listener after the writer of a take has ended, including by a crash, and the takes were read again.
 */
export function onWriterEnded(listener: () => void): void {
  writerEndListeners.add(listener);
}

/** Waits for the locks of writers, because a released lock is the only sign that a tab crashed. */
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
  const viewing = viewer.getSnapshot();
  const owners = [viewing.userId, viewing.tab.ownerId, ...records.map(({ ownerId }) => ownerId)];
  const ownerIds = new Set(owners.filter((ownerId) => ownerId !== null));
  forgetOtherNames(ownerIds);
  forgetOtherStandings(ownerIds);
  const standings = ownerStandings.getSnapshot();
  deviceTakesState.set({
    isLoaded: true,
    takes: takesFor(records, { ...viewing, heldTakeIds: held, standings }),
    hasOtherOwners: records.some((record) => !isVisibleTo(record, viewing)),
    others: otherOwnersOf(records, viewing, { nameOf: ownerNameOf, standings }),
  });
}

/** Hides the takes that the viewer may no longer see immediately, because reading the device may take long. */
function hideForeignTakes(): void {
  const state = deviceTakesState.getSnapshot();
  const takes = state.takes.filter((take) => isVisibleTo(take, viewer.getSnapshot()));
  if (takes.length < state.takes.length) deviceTakesState.set({ ...state, takes });
}

/** Removes expired copies and trashed takes. */
async function removeExpired(): Promise<void> {
  const { records, heldTakeIds: held } = await readDevice();
  const expired = takesToRemove(
    records,
    { heldTakeIds: held, standings: ownerStandings.getSnapshot() },
    Date.now(),
  );
  for (const { id } of expired) await removeTake(id);
  if (expired.length > 0) takesChannel.notify();
}

let isWatching = false;

/** Reads the device now and whenever a take, the viewer or a writer may have changed. */
export function watchTakes(): void {
  if (isWatching) return;
  isWatching = true;
  const refresh = () => {
    void refreshDeviceTakes();
  };
  takesChannel.subscribe(refresh);
  ownerStandings.subscribe(refresh);
  viewer.subscribe(() => {
    hideForeignTakes();
    refresh();
  });
  // A page restored from the back-forward cache shows outdated takes.
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
