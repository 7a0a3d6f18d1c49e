import { recordingLockName } from '#workers/encode/recording-lock.ts';
import { hasUntold } from '#workers/encode/take-record.ts';
import { getTake, listTakes, removeTake } from '#workers/encode/takes-store.ts';
import { session } from '#web/api/session.ts';
import { fileNameOf, saveFile } from '#web/ui/files/save-file.ts';
import { releaseTake } from '../devices/take-worker.ts';
import { takesChannel } from '../local/takes-channel.ts';
import { localTakeAudio } from './take-audio.ts';

/** Removes this device's copy of a take; one that the server has not confirmed whole stays, or has not heard all of, and so does one that is being written. */
async function removeCopy(takeId: string): Promise<void> {
  if ((await getTake(takeId))?.receiptAtMs === null) return;
  releaseTake(takeId);
  await navigator.locks.request(recordingLockName(takeId), async () => {
    const record = await getTake(takeId);
    if (record && record.receiptAtMs !== null && record.state === 'stopped' && !hasUntold(record)) await removeTake(takeId);
  });
}

/** Removes this device's copy of one take that the server has whole. */
export async function removeLocalCopy(takeId: string): Promise<void> {
  await removeCopy(takeId);
  takesChannel.tell();
}

/** Removes all copies of what the server has, of the person in front. */
export async function removeLocalCopies(): Promise<void> {
  const userId = session.getSnapshot().user?.id ?? null;
  const copies = (await listTakes()).filter(({ receiptAtMs, deletedAtMs, ownerId }) => receiptAtMs !== null && deletedAtMs === null && (ownerId === null || ownerId === userId));
  for (const { id } of copies) await removeCopy(id);
  takesChannel.tell();
}

const endings: Record<string, string> = { 'audio/webm': 'webm', 'audio/mp4': 'm4a' };

/** Saves a take as a file where the browser saves files. */
export async function exportTake({ id, title }: { id: string; title: string }): Promise<void> {
  const { audio } = await localTakeAudio(id);
  saveFile(audio, fileNameOf(title, endings[audio.type.split(';')[0] ?? ''] ?? 'ogg'));
}
