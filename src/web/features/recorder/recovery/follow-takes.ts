import { loadInBackground } from '#web/ui/lazy/load-in-background.ts';
import { claims } from '#device/takes/claims.ts';
import { takesToFlush } from '#device/takes/recovery-plan.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { getTake, listTakes } from '#device/takes/takes-store.ts';
import { onWriterEnded, readDevice, refreshDeviceTakes } from '#device/takes/watch-takes.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { onViewerChange } from '#web/api/viewer.ts';
import { session } from '#web/api/session.ts';
import { followOwnerName } from '#web/recordings/owners/follow-owner-name.ts';
import { CaptureError } from '#web/features/recorder/capture/capture-error.ts';
import { releaseTake, startTakeWorker } from '#web/features/recorder/capture/take-worker.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { addRecovered } from './recovered-takes.ts';
import { createRecovery } from './recovery.ts';

const loadActions = () => import('./take-actions.ts');
const loadServerWords = () => import('./server-words.ts');
const loadOwnerStandings = () => import('./ask-owner-standings.ts');
const loadOutbox = () => import('#web/outbox/page-outbox.ts');

const recovery = createRecovery({
  readDevice,
  startTakeWorker,
  registry: serverRegistry,
  onChange: () => {
    takesChannel.notify();
  },
  onRecovered: addRecovered,
  onRejected: (takeId, rejection) => {
    void loadInBackground(loadServerWords).then(({ rejectTake }) => rejectTake(takeId, rejection));
  },
  onReceipt: (takeId) => {
    void loadInBackground(loadActions).then(({ handleReceipt }) => handleReceipt(takeId));
  },
});

/** Sends changes of takes that could not be sent before, or whose page was closed too soon. */
async function flushPendingChanges(userId: string): Promise<boolean> {
  if (isUnreachable(connection.getSnapshot())) return false;
  const takes = takesToFlush(await listTakes().catch(() => []), userId);
  if (takes.length === 0) return false;
  const { trySendPendingChanges } = await loadActions();
  const outcomes = await Promise.all(takes.map(({ id }) => trySendPendingChanges(id)));
  if (outcomes.some(({ hasSettled }) => hasSettled))
    void queryClient.invalidateQueries({ queryKey: recordingKeys.lists });
  return outcomes.some(({ isRetried }) => isRetried);
}

/** Nothing is recovered before the signed-in user is known, so that another user's take is not touched. */
const mayRecover = (): boolean =>
  session.getSnapshot().status !== 'unknown' || isUnreachable(connection.getSnapshot());

function recover(): void {
  if (mayRecover()) void recovery.run();
}

let isFollowing = false;

/** Recovers takes left on this device, now and whenever session, connection, claims or writers change. */
export function followTakes(): void {
  if (isFollowing) return;
  isFollowing = true;
  followOwnerName();
  session.subscribe(recover);
  connection.subscribe(recover);
  onViewerChange(recover);
  claims.subscribe(recover);
  onWriterEnded(() => {
    if (mayRecover()) void recovery.search();
  });
  recover();
  void loadInBackground(loadServerWords).then(({ followServerWords }) => followServerWords());
  void loadInBackground(loadOwnerStandings).then(({ followOwnerStandings }) => followOwnerStandings());
  void loadInBackground(loadOutbox).then(({ outbox }) => {
    outbox.addSource(flushPendingChanges);
  });
}

/**
 * Ends the recovery of a take, so that it can continue in this page.
 * @throws CaptureError `recording-gone` if this device no longer has it
 */
export async function endRecoveryOf(takeId: string): Promise<TakeRecord> {
  await recovery.release(takeId);
  releaseTake(takeId);
  const record = await getTake(takeId);
  if (record === null) throw new CaptureError('recording-gone');
  return record;
}

/** Recovers a take whose worker in this page failed or did not start. */
export function recoverTakeSoon(takeId: string): void {
  recovery.reclaim(takeId);
  void refreshDeviceTakes().then(recover);
}
