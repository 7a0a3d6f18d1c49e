import { recordingLockName } from '#workers/encode/recording-lock.ts';
import type { TakeRecord } from '#workers/encode/take-record.ts';
import { changeTake, getTake, removeTake } from '#workers/encode/takes-store.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { queryClient, recordingKeys } from '#web/api/query-client.ts';
import { releaseTake } from '../devices/take-worker.ts';
import { serverRegistry } from '../take/server-registry.ts';
import { takesChannel } from './takes-channel.ts';

async function change(takeId: string, changes: Partial<TakeRecord>): Promise<TakeRecord | null> {
  const changed = await changeTake(takeId, (take) => ({ ...take, ...changes, updatedAtMs: Date.now() }));
  takesChannel.tell();
  return changed;
}

/** Does on the server what was done here; a take that the server has never heard of needs nothing there. */
async function onServer(record: TakeRecord | null, act: () => Promise<unknown>): Promise<void> {
  if (!record || record.ownerId === null || record.ownerId !== serverRegistry.userId()) return;
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Moves a take to the trash, here and, where it is there, on the server. */
export async function trashLocalTake(takeId: string): Promise<void> {
  const record = await change(takeId, { deletedAtMs: Date.now() });
  await onServer(record, () => call('trashRecording', { params: { recordingId: takeId } }));
}

/** Takes it out of the trash again. */
export async function restoreLocalTake(takeId: string): Promise<void> {
  const record = await change(takeId, { deletedAtMs: null });
  await onServer(record, () => call('restoreRecording', { params: { recordingId: takeId } }));
}

/** Deletes a trashed take for good. */
export async function purgeLocalTake(takeId: string): Promise<void> {
  const record = await getTake(takeId);
  releaseTake(takeId);
  // The worker's lock is free once it has let go of the files.
  await navigator.locks.request(recordingLockName(takeId), () => removeTake(takeId));
  takesChannel.tell();
  await onServer(record, () => call('purgeRecording', { params: { recordingId: takeId } }));
}

/** Renames a take on this device; on the server too where it is there. */
export async function renameLocalTake(takeId: string, title: string): Promise<void> {
  const record = await change(takeId, { title });
  await onServer(record, () => call('changeRecording', { params: { recordingId: takeId }, body: { title } }));
}

/** A take that was discarded while the server could not be told is moved to the trash there too. */
export async function settleTrash(takeId: string): Promise<void> {
  const record = await getTake(takeId);
  if (!record || record.deletedAtMs === null) return;
  await onServer(record, () => call('trashRecording', { params: { recordingId: takeId } }));
}

/** The server has all of a take: what waited for that is done, and the lists show it. */
export async function meetReceipt(takeId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: recordingKeys.lists });
  await settleTrash(takeId);
}

/** Renames, or with null removes, a marker on the server if it was sent already; else the worker's own list is enough. */
export async function changeSentMarker(recordingId: string, markerId: string, label: string | null): Promise<void> {
  const record = await getTake(recordingId);
  if (!record?.markers.some(({ id, sent }) => id === markerId && sent)) return;
  const params = { recordingId, markerId };
  await onServer(record, () => (label === null ? call('removeMarker', { params }) : call('changeMarker', { params, body: { label } })));
}
