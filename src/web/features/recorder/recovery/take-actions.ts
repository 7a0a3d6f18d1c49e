import { withChangesLock } from '#device/sync/changes-lock.ts';
import { type PendingChange, withPendingChange } from '#device/records/pending-change.ts';
import { type MarkerChange, sendMarker } from '#device/sync/send-marker.ts';
import { recordingLockName } from '#device/takes/recording-lock.ts';
import { hasPendingChanges, type TakeRecord } from '#device/records/take-record.ts';
import { changeTake, getTake, removeTake } from '#device/takes/takes-store.ts';
import { changeTakeFor } from '#device/takes/asked-change.ts';
import { isVisibleTo, ownerFor, viewer } from '#device/takes/viewer.ts';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { retry } from '#web/api/connection/retry.ts';
import { outbox } from '#web/outbox/page-outbox.ts';
import { markerCallsOf } from '#web/outbox/send-marker.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { releaseTake } from '#web/features/recorder/capture/take-worker.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { type OwnTake, sendTakeChange, valueOf, withAcknowledged } from './take-changes.ts';
import { deviceTakesState } from '#device/takes/device-takes-state.ts';
import { lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { mayBeOnServer } from '#device/takes/recovery-plan.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';

const isOwnedByUser = (take: TakeRecord): take is TakeRecord & { ownerId: string } =>
  ownerFor(take, { userId: serverRegistry.userId() }) === 'me';

/**
 * `settled`: the server has the change, or will never accept it. `waiting`: it is sent after an event, such as a
 * sign-in or the end of the upload. `later`: the server failed.
 */
type Attempt = 'settled' | 'waiting' | 'later';

/**
 * @param isWhole false while the take is being uploaded: the server may not know it yet and respond with
 * `not-found`
 */
async function attempt(sending: Promise<unknown>, isWhole: boolean): Promise<Attempt> {
  try {
    return (await sending) === 'waiting' ? 'waiting' : 'settled';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const failure = serverRegistry.failureOf(error);
    if (failure === 'never') return isWhole || error.code !== 'not-found' ? 'settled' : 'waiting';
    return failure === 'later' && !isUnreached(error) ? 'later' : 'waiting';
  }
}

/**
 * Sends a change of a take that the server has, without waiting for the disk or the lock, because the page may be
 * closed any moment. Later changes wait for it.
 */
function sendNow(take: OwnTake, what: PendingChange): Promise<Attempt> {
  const sending = attempt(sendTakeChange(take, what), true);
  withChangesLock(take.id, () => sending).catch(() => undefined);
  return sending;
}

/** Removes a pending change that the server has, unless it has been made again. */
async function acknowledge(sent: TakeRecord, what: PendingChange): Promise<void> {
  await changeTake(sent.id, (take) =>
    valueOf(take, what) === valueOf(sent, what) ? withAcknowledged(take, what) : take,
  );
}

/**
 * The record of a take on this device; null if it is not stored here or the browser blocks storage. Only its page
 * and the server know such a take.
 */
const storedTake = (takeId: string): Promise<TakeRecord | null> => getTake(takeId).catch(() => null);

/** `hasSettled`: at least one change is no longer pending. `isRetried`: the server failed, so retry after a wait. */
interface SendOutcome {
  hasSettled: boolean;
  isRetried: boolean;
}

/** Sends the pending changes of a take. Those that can't be sent now stay pending. */
export async function trySendPendingChanges(takeId: string): Promise<SendOutcome> {
  const outcome: SendOutcome = { hasSettled: false, isRetried: false };
  if ((await storedTake(takeId)) === null) return outcome;
  return withChangesLock(takeId, async () => {
    const record = await getTake(takeId);
    if (!record || !isOwnedByUser(record)) return outcome;
    for (const what of record.pendingChanges ?? []) {
      const result = await attempt(sendTakeChange(record, what), record.receiptAtMs !== null);
      if (result === 'settled') await acknowledge(record, what);
      outcome.hasSettled ||= result === 'settled';
      outcome.isRetried ||= result === 'later';
    }
    return outcome;
  });
}

/** Sends the pending changes, and retries after a wait if the server failed. */
export async function sendPendingChanges(takeId: string): Promise<void> {
  if ((await trySendPendingChanges(takeId)).isRetried) outbox.retryLater();
}

/** The change carries who asked for it, and is dropped if the take is not theirs when it is written. */
async function change(
  takeId: string,
  what: PendingChange,
  changes: Partial<Pick<TakeRecord, 'title' | 'deletedAtMs' | 'isTrashUndone'>>,
): Promise<void> {
  const ownerId = serverRegistry.userId();
  const asker = viewer.getSnapshot();
  const known = deviceTakesState.getSnapshot().takes.find(({ id }) => id === takeId);
  const sending =
    known?.facts.receipt === 'whole' && ownerId !== null && isVisibleTo(known, asker)
      ? sendNow({ ...known, ownerId, ...changes }, what)
      : null;
  const changed = await changeTakeFor(asker, takeId, (take) => ({
    ...take,
    ...changes,
    pendingChanges: withPendingChange(take.pendingChanges, what),
    updatedAtMs: Date.now(),
  })).catch(async (error: unknown) => {
    if (ownerId === null) throw error;
    // The take is not stored on this device, so the change can't stay pending.
    const take = { id: takeId, ownerId, title: '', deletedAtMs: null, markers: [], ...changes };
    await withChangesLock(takeId, () => sendTakeChange(take, what));
    return null;
  });
  takesChannel.notify();
  const isSent = (await sending) === 'settled' && changed?.ownerId === ownerId;
  if (changed && isSent) await acknowledge(changed, what);
  else await sendPendingChanges(takeId);
}

/** Moves a take to the trash, on this device and, if the server has it, on the server. */
export const trashLocalTake = (takeId: string): Promise<void> =>
  change(takeId, { kind: 'trash' }, { deletedAtMs: Date.now() });

/** Restores a take from the trash. Its links stay off until its owner turns them on. */
export const restoreLocalTake = (takeId: string): Promise<void> =>
  change(takeId, { kind: 'trash' }, { deletedAtMs: null, isTrashUndone: false });

/** Undoes the move of a take to the trash. Its links are as before. */
export const undoTrashOfLocalTake = (takeId: string): Promise<void> =>
  change(takeId, { kind: 'trash' }, { deletedAtMs: null, isTrashUndone: true });

/** Renames a take on this device and, if the server has it, on the server. */
export const renameLocalTake = (takeId: string, title: string): Promise<void> =>
  change(takeId, { kind: 'title' }, { title });

/**
 * Deletes a trashed take permanently: first on the server, if it may have the take.
 * @throws ApiError if the server rejects that or can't be reached; the take is still in the trash then
 */
export async function purgeLocalTake(takeId: string): Promise<void> {
  const record = await getTake(takeId);
  if (record && !isVisibleTo(record, viewer.getSnapshot())) return;
  const isAccountGone = record && lostStandingOf(ownerStandings.getSnapshot(), record.ownerId) === 'deleted';
  if (record && record.ownerId !== null && mayBeOnServer(record) && !isAccountGone) {
    // A page opened offline shows the last user's takes before the session is known.
    if (!isOwnedByUser(record)) throw new ApiError({ code: 'offline', status: 0, problem: null });
    await sendPendingChanges(takeId);
    await purgeOnServer(takeId, record.ownerId);
  }
  await dropLocalTake(takeId);
}

/** Removes a permanently deleted take from this device. */
export async function dropLocalTake(takeId: string): Promise<void> {
  releaseTake(takeId);
  // The lock is released once the worker has closed the files.
  await navigator.locks.request(recordingLockName(takeId), () => removeTake(takeId));
  takesChannel.notify();
}

async function purgeOnServer(recordingId: string, owner: string): Promise<void> {
  try {
    await call('purgeRecording', { params: { recordingId }, hold: { owner } });
  } catch (error) {
    if (!(error instanceof ApiError) || serverRegistry.failureOf(error) !== 'never') throw error;
  }
}

/** Call it when the server has this title because it was sent with another request. */
export async function acknowledgeTitle(takeId: string, title: string): Promise<void> {
  if ((await storedTake(takeId)) === null) return;
  await changeTake(takeId, (take) =>
    take.title === title ? withAcknowledged(take, { kind: 'title' }) : take,
  );
}

/** Call it when the server has the whole take. Sends changes that waited for that, and reloads the lists. */
export async function handleReceipt(takeId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: recordingKeys.lists });
  await sendPendingChanges(takeId);
}

/** Sends a marker that was added to a finished take, because no worker sends its markers any more. */
export async function sendNewMarker(recordingId: string, markerId: string): Promise<void> {
  const changed = await changeTakeFor(viewer.getSnapshot(), recordingId, (take) =>
    take.receiptAtMs === null
      ? take
      : { ...take, pendingChanges: withPendingChange(take.pendingChanges, { kind: 'marker', id: markerId }) },
  );
  if (changed && hasPendingChanges(changed)) await sendPendingChanges(recordingId);
}

/**
 * Renames a marker on the server, or removes it if `label` is null, if it was sent already. Until then the worker
 * sends the take's own list.
 */
export async function changeSentMarker(
  recordingId: string,
  markerId: string,
  label: string | null,
): Promise<void> {
  const record = await storedTake(recordingId);
  if (record === null) return changeUnstoredMarker({ recordingId, markerId }, label);
  if (!isVisibleTo(record, viewer.getSnapshot())) return undefined;
  const known = record.markers.find(
    ({ id, sent }) => id === markerId && (sent || record.receiptAtMs !== null),
  );
  if (!known) return undefined;
  const what: PendingChange = { kind: 'marker', id: markerId };
  // Send the new value from this call, because the take's worker may write it to the record only later.
  const markers = label === null ? [] : [{ ...known, label }];
  const result = isOwnedByUser(record) ? await sendNow({ ...record, markers }, what) : 'waiting';
  if (result === 'settled') return undefined;
  await changeTake(recordingId, (stored) => ({
    ...stored,
    pendingChanges: withPendingChange(stored.pendingChanges, what),
  }));
  if (result === 'later') outbox.retryLater();
  return undefined;
}

/**
 * Changes a marker of a take that is not stored on this device, as long as this page and its user's session last. If
 * the server does not have the marker yet, the take's worker sends it with its new label.
 */
async function changeUnstoredMarker(
  { recordingId, markerId }: { recordingId: string; markerId: string },
  label: string | null,
): Promise<void> {
  const owner = serverRegistry.userId();
  if (owner === null) return;
  const change: MarkerChange = label === null ? { type: 'removed' } : { type: 'changed', fields: { label } };
  await retry(
    () => withChangesLock(recordingId, () => sendMarker(change, markerCallsOf(owner, recordingId, markerId))),
    (error) => serverRegistry.failureOf(error) === 'later' && serverRegistry.userId() === owner,
  ).catch(() => undefined);
}
