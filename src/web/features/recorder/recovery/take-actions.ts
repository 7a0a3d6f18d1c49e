import { recordingLockName } from '#device/takes/recording-lock.ts';
import {
  hasPendingChanges,
  withPendingChange,
  type TakeRecord,
  type PendingChange,
} from '#device/takes/take-record.ts';
import { changeTake, getTake, removeTake } from '#device/takes/takes-store.ts';
import { ownerFor } from '#device/takes/viewer.ts';
import { ApiError } from '#web/api/api-error.ts';
import { backOffMs } from '#base/back-off.ts';
import { call } from '#web/api/call.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { releaseTake } from '#web/features/recorder/capture/take-worker.ts';
import { noteTextOf, sendNote, type NotesOfTake } from './send-note.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { deviceTakesState } from '#device/takes/device-takes-state.ts';
import { mayBeOnServer } from '#device/takes/recovery-plan.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';

/** Says how the take stands now, so it may be made late, and twice. */
function tell(take: Stand, what: PendingChange): Promise<unknown> {
  const params = { recordingId: take.id };
  if (what === 'title') return call('changeRecording', { params, body: { title: take.title } });
  if (what === 'place')
    return call(take.deletedAtMs === null ? 'restoreRecording' : 'trashRecording', { params });
  return isNote(what) ? sendNote(take, noteIdOf(what)) : sendMarker(take, markerIdOf(what));
}

async function sendMarker({ id: recordingId, markers }: Stand, markerId: string): Promise<unknown> {
  const marker = markers.find(({ id }) => id === markerId);
  if (!marker) return call('removeMarker', { params: { recordingId, markerId } });
  const { atMs, label } = marker;
  // Added where there is none of it; one that is there answers as it is, and has its name then.
  const there = await call('createMarker', { params: { recordingId }, body: { id: markerId, atMs, label } });
  return there.label === label
    ? there
    : call('changeMarker', { params: { recordingId, markerId }, body: { label } });
}

type Stand = Pick<TakeRecord, 'id' | 'title' | 'deletedAtMs'> &
  NotesOfTake & { markers: readonly { id: string; atMs: number; label: string }[] };

const markerPrefix = 'marker ';
const markerIdOf = (what: PendingChange): string => what.slice(markerPrefix.length);
const notePrefix = 'note ';
const isNote = (what: PendingChange): boolean => what.startsWith(notePrefix);
const noteIdOf = (what: PendingChange): string => what.slice(notePrefix.length);
const labelOf = ({ markers }: Stand, what: PendingChange): string | null =>
  markers.find(({ id }) => id === markerIdOf(what))?.label ?? null;

/** What of it the server is told. */
function standOf(take: Stand, what: PendingChange): string | boolean | null {
  if (what === 'title') return take.title;
  if (isNote(what)) return noteTextOf(take, noteIdOf(what));
  return what === 'place' ? take.deletedAtMs === null : labelOf(take, what);
}

const isOwnedByUser = (take: TakeRecord): boolean => ownerFor(take, serverRegistry.userId()) === 'me';

/**
 * Whether the server knows of it now, or will never want to. A take whose bytes are still on their way may be
 * new to it.
 */
async function hasHeard(told: Promise<unknown>, isWhole: boolean): Promise<boolean> {
  try {
    await told;
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return serverRegistry.failureOf(error) === 'never' && (isWhole || error.code !== 'not-found');
  }
}

/** Strikes out what the server has heard, unless it is otherwise by now. */
async function acknowledge(told: TakeRecord, what: PendingChange): Promise<void> {
  await changeTake(told.id, (take) =>
    standOf(take, what) === standOf(told, what) ? withAcknowledged(take, what) : take,
  );
}

function withAcknowledged(take: TakeRecord, what: PendingChange): TakeRecord {
  const markers = take.markers.map((marker) =>
    marker.id === markerIdOf(what) ? { ...marker, sent: true } : marker,
  );
  const notes = take.notes?.map((note) =>
    note.id === noteIdOf(what) ? { ...note, sentText: note.text } : note,
  );
  return {
    ...take,
    markers,
    ...(notes && { notes }),
    pendingChanges: take.pendingChanges?.filter((one) => one !== what),
  };
}

/**
 * The take as this device has it; null where it has none, or where the browser refuses its stores: such a
 * take is known to its page and the server alone.
 */
const storedTake = (takeId: string): Promise<TakeRecord | null> => getTake(takeId).catch(() => null);

/**
 * Tells the server what was done to a take here that it has not heard of; what cannot be told now stays to be
 * told.
 */
export async function sendPendingChanges(takeId: string): Promise<void> {
  if ((await storedTake(takeId)) === null) return;
  await navigator.locks.request(`tell ${takeId}`, async () => {
    const record = await getTake(takeId);
    if (!record || !isOwnedByUser(record)) return;
    for (const what of record.pendingChanges ?? []) {
      if (await hasHeard(tell(record, what), record.receiptAtMs !== null)) await acknowledge(record, what);
    }
  });
}

async function change(
  takeId: string,
  what: PendingChange,
  changes: Partial<Pick<TakeRecord, 'title' | 'deletedAtMs'>>,
): Promise<void> {
  const known = deviceTakesState.getSnapshot().takes.find(({ id }) => id === takeId);
  // Sent before the disk has answered: the page may be left on the next beat.
  const told =
    known?.facts.receipt === 'whole' && serverRegistry.userId() !== null
      ? hasHeard(tell({ ...known, ...changes }, what), true)
      : null;
  const changed = await changeTake(takeId, (take) => ({
    ...take,
    ...changes,
    pendingChanges: withPendingChange(take.pendingChanges, what),
    updatedAtMs: Date.now(),
  })).catch(async (error: unknown) => {
    if (serverRegistry.userId() === null) throw error;
    // No store of this device has it: nothing remembers the change until later, so the server is told now.
    await tell({ id: takeId, title: '', deletedAtMs: null, markers: [], ...changes }, what);
    return null;
  });
  takesChannel.notify();
  if (changed && told && (await told)) await acknowledge(changed, what);
  else await sendPendingChanges(takeId);
}

/** Moves a take to the trash, here and, where it is there, on the server. */
export const trashLocalTake = (takeId: string): Promise<void> =>
  change(takeId, 'place', { deletedAtMs: Date.now() });

/** Takes it out of the trash again. */
export const restoreLocalTake = (takeId: string): Promise<void> =>
  change(takeId, 'place', { deletedAtMs: null });

/** Renames a take on this device; on the server too where it is there. */
export const renameLocalTake = (takeId: string, title: string): Promise<void> =>
  change(takeId, 'title', { title });

/**
 * Deletes a trashed take for good: first on the server, where it may be.
 * @throws ApiError when the server refuses or cannot be reached; the take is still in the trash then
 */
export async function purgeLocalTake(takeId: string): Promise<void> {
  const record = await getTake(takeId);
  if (record && record.ownerId !== null && mayBeOnServer(record)) {
    // A page that was opened without a network shows somebody's takes before a session is known.
    if (!isOwnedByUser(record)) throw new ApiError({ code: 'offline', status: 0, problem: null });
    await sendPendingChanges(takeId);
    await purgeThere(takeId);
  }
  await dropLocalTake(takeId);
}

/** Removes a take that was deleted for good from this device. */
export async function dropLocalTake(takeId: string): Promise<void> {
  releaseTake(takeId);
  // The worker's lock is free once it has let go of the files.
  await navigator.locks.request(recordingLockName(takeId), () => removeTake(takeId));
  takesChannel.notify();
}

async function purgeThere(recordingId: string): Promise<void> {
  try {
    await call('purgeRecording', { params: { recordingId } });
  } catch (error) {
    if (!(error instanceof ApiError) || serverRegistry.failureOf(error) !== 'never') throw error;
  }
}

/** The server has this title of a take by another way. */
export async function noteTitleThere(takeId: string, title: string): Promise<void> {
  if ((await storedTake(takeId)) === null) return;
  await changeTake(takeId, (take) =>
    take.title === title && take.pendingChanges?.includes('title') ? withAcknowledged(take, 'title') : take,
  );
}

/** The server has all of a take: what waited for that is told, and the lists show it. */
export async function meetReceipt(takeId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: recordingKeys.lists });
  await sendPendingChanges(takeId);
}

/** A marker was added to a take that no worker will send again: the server hears of it by itself. */
export async function tellNewMarker(recordingId: string, markerId: string): Promise<void> {
  const changed = await changeTake(recordingId, (take) =>
    take.receiptAtMs === null
      ? take
      : { ...take, pendingChanges: withPendingChange(take.pendingChanges, `${markerPrefix}${markerId}`) },
  );
  if (changed && hasPendingChanges(changed)) await sendPendingChanges(recordingId);
}

/**
 * Renames, or with null removes, a marker on the server if it was sent already; else the worker's own list is
 * enough.
 */
export async function changeSentMarker(
  recordingId: string,
  markerId: string,
  label: string | null,
): Promise<void> {
  const record = await storedTake(recordingId);
  if (record === null) return changeMarkerThere({ recordingId, markerId }, label);
  const known = record.markers.find(
    ({ id, sent }) => id === markerId && (sent || record.receiptAtMs !== null),
  );
  if (!known) return;
  const what: PendingChange = `${markerPrefix}${markerId}`;
  // Whoever holds the take may write the change after this: it is told as it was meant.
  const stand = { ...record, markers: label === null ? [] : [{ ...known, label }] };
  if (isOwnedByUser(record) && (await hasHeard(tell(stand, what), true))) return;
  await changeTake(recordingId, (take) => ({
    ...take,
    pendingChanges: withPendingChange(take.pendingChanges, what),
  }));
}

/**
 * Changes a marker of a take that no store of this device has, for as long as its page lives. A marker that
 * the server does not have yet comes from the worker as it is then.
 */
async function changeMarkerThere(
  params: { recordingId: string; markerId: string },
  label: string | null,
): Promise<void> {
  const { signal } = new AbortController();
  for (let failures = 0; serverRegistry.userId() !== null; failures += 1) {
    try {
      await (label === null
        ? call('removeMarker', { params })
        : call('changeMarker', { params, body: { label } }));
      return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (serverRegistry.failureOf(error) !== 'later') return;
    }
    await serverRegistry.wait(backOffMs(failures), signal);
  }
}
