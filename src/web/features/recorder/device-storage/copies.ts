import { recordingLockName } from '#device/takes/recording-lock.ts';
import { hasPendingChanges } from '#device/records/take-record.ts';
import { getTake, listTakes, removeTake } from '#device/takes/takes-store.ts';
import { lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { blockReasonOf } from '#device/takes/block-reason.ts';
import { isVisibleTo, viewer } from '#device/takes/viewer.ts';
import { readDevice } from '#device/takes/watch-takes.ts';
import { ApiError } from '#web/api/api-error.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { fileNameOf, saveFile } from '#web/ui/dom/save-file.ts';
import { releaseTake } from '#web/features/recorder/capture/take-worker.ts';
import { askOwnerStanding } from '#web/features/recorder/recovery/ask-owner-standings.ts';
import { askServer } from '#web/features/recorder/recovery/server-words.ts';
import { dropLocalTake, sendPendingChanges } from '#web/features/recorder/recovery/take-actions.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { localTakeAudio } from '#device/takes/take-audio.ts';

/**
 * Removes this device's copy of a take, unless the server has not confirmed every byte or a worker writes the
 * take. Pending changes are sent first. Returns false, without removing the copy, if that fails.
 */
async function removeCopy(takeId: string): Promise<boolean> {
  const known = await getTake(takeId);
  if (!known || known.receiptAtMs === null) return true;
  if (hasPendingChanges(known)) await sendPendingChanges(takeId);
  // The receipt was true when it was given. The server may have lost or deleted the recording since.
  if (known.ownerId !== null && (await askServer(known)).type !== 'stored') return false;
  releaseTake(takeId);
  return navigator.locks.request(recordingLockName(takeId), async () => {
    const record = await getTake(takeId);
    if (record && hasPendingChanges(record)) return false;
    if (record && record.receiptAtMs !== null && record.state === 'stopped') await removeTake(takeId);
    return true;
  });
}

async function removeEach(takeIds: readonly string[]): Promise<void> {
  let allGone = true;
  for (const takeId of takeIds) allGone = (await removeCopy(takeId)) && allGone;
  takesChannel.notify();
  if (!allGone) throw new ApiError({ code: 'offline', status: 0, problem: null });
}

/**
 * Removes this device's copy of a take that the server has completely.
 * @throws ApiError `offline` if a pending change could not be sent; the copy stays
 */
export const removeLocalCopy = (takeId: string): Promise<void> => removeEach([takeId]);

/**
 * Removes the copies of all uploaded takes that the signed-in user may see.
 * @throws ApiError `offline` if pending changes could not be sent; those copies stay
 */
export async function removeLocalCopies(): Promise<void> {
  const viewing = viewer.getSnapshot();
  const copies = (await listTakes()).filter(
    (take) => take.receiptAtMs !== null && take.deletedAtMs === null && isVisibleTo(take, viewing),
  );
  await removeEach(copies.map(({ id }) => id));
}

const endings: Record<string, string> = { 'audio/webm': 'webm', 'audio/mp4': 'm4a' };

/** Downloads a take as a file. */
export async function exportTake(take: { id: string; title: string; startedAtMs: number }): Promise<void> {
  const { audio } = await localTakeAudio(take.id);
  saveFile(audio, fileNameOf(titleText(take), endings[audio.type.split(';')[0] ?? ''] ?? 'ogg'));
}

/**
 * Deletes a take that the server doesn't take, with its only bytes. Its user has confirmed that. Returns false,
 * without deleting anything, if the server takes it after all.
 */
export async function deleteBlockedTake(takeId: string): Promise<boolean> {
  const record = await getTake(takeId);
  if (record === null || !isVisibleTo(record, viewer.getSnapshot())) return false;
  if (blockReasonOf(record, ownerStandings.getSnapshot()) === null) return false;
  await dropLocalTake(takeId);
  return true;
}

/**
 * Deletes what deleted accounts have on this device, except takes that are being recorded. Anyone at this browser may,
 * because nobody can sign in to those accounts. The server is asked about each account first.
 * @throws ApiError if the server can't be reached; what it didn't confirm stays
 */
export async function deleteTakesOfDeletedAccounts(): Promise<void> {
  const viewing = viewer.getSnapshot();
  const { records, heldTakeIds } = await readDevice();
  const takes = records.filter((take) => !isVisibleTo(take, viewing) && !heldTakeIds.has(take.id));
  for (const ownerId of new Set(takes.map((take) => take.ownerId))) {
    if (lostStandingOf(ownerStandings.getSnapshot(), ownerId) !== 'deleted' || ownerId === null) continue;
    if ((await askOwnerStanding(ownerId)) !== 'deleted') continue;
    for (const take of takes) if (take.ownerId === ownerId) await dropLocalTake(take.id);
  }
}
