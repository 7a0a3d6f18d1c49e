import { hour } from '#base/duration.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';
import { getTake, listTakes, removeTake } from '#device/takes/takes-store.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { onViewerChange, viewerId } from '#web/api/viewer.ts';
import { session } from '#web/api/session.ts';
import { releaseTake, startTakeWorker } from '#web/features/recorder/capture/take-worker.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { heldTakeIds, whenWriterEnds } from './held-takes.ts';
import { claims } from './claims.ts';
import { takesFor } from './local-take.ts';
import { changeLocalTakes, localTakesState } from './local-takes-state.ts';
import { createRecovery } from './recovery.ts';
import { takesToRemove, takesToTell } from './recovery-plan.ts';
import { takesChannel } from './takes-channel.ts';

/**
 * The takes of this device and which of them a worker holds. A browser that refuses storage or locks has
 * none; the recorder says so when it is asked to record.
 */
async function look(): Promise<{ found: readonly TakeRecord[]; held: ReadonlySet<string> }> {
  try {
    const [found, held] = await Promise.all([listTakes(), heldTakeIds()]);
    return { found, held };
  } catch {
    return { found: [], held: new Set() };
  }
}

const records = async () => (await look()).found;

const loadActions = () => import('./take-actions.ts');

const watched = new Set<string>();

/** A writer's lock comes free when it ends, however it ends: a tab that crashed says nothing else. */
function watchWriters(held: ReadonlySet<string>): void {
  for (const takeId of held) {
    if (watched.has(takeId)) continue;
    watched.add(takeId);
    void whenWriterEnds(takeId).finally(() => {
      watched.delete(takeId);
      void refresh().then(lookForLost);
    });
  }
}

async function refresh(): Promise<void> {
  const { found, held } = await look();
  watchWriters(held);
  const userId = viewerId();
  const takes = takesFor(found, { userId, heldTakeIds: held });
  changeLocalTakes({
    isLoaded: true,
    takes,
    hasOtherOwners: found.some(({ ownerId }) => ownerId !== null && ownerId !== userId),
  });
}

async function tidy(): Promise<void> {
  const { found, held } = await look();
  const old = takesToRemove(found, held, Date.now());
  for (const { id } of old) await removeTake(id);
  if (old.length > 0) takesChannel.tell();
}

const recovery = createRecovery({
  listTakes: records,
  heldTakeIds: async () => (await look()).held,
  startTakeWorker,
  registry: serverRegistry,
  mayClaim: (takeId) => claims.getSnapshot().has(takeId),
  onChange: () => {
    takesChannel.tell();
  },
  onRecovered: (take) => {
    changeLocalTakes({ recovered: [...localTakesState.getSnapshot().recovered, take] });
  },
  onReceipt: (takeId) => {
    void loadActions().then(({ meetReceipt }) => meetReceipt(takeId));
  },
});

/** What the server could not be told before, or the page was left too soon for. */
async function flushPendingChanges(): Promise<void> {
  const pendingChanges = isUnreachable(connection.getSnapshot())
    ? []
    : takesToTell(await records(), serverRegistry.userId());
  if (pendingChanges.length === 0) return;
  const { sendPendingChanges } = await loadActions();
  await Promise.all(pendingChanges.map(({ id }) => sendPendingChanges(id)));
  void queryClient.invalidateQueries({ queryKey: recordingKeys.lists });
}

/**
 * The first word on who is signed in is waited for, so that another person's take is not touched by mistake.
 */
const mayRecover = (): boolean =>
  session.getSnapshot().status !== 'unknown' || isUnreachable(connection.getSnapshot());

function recover(): void {
  if (mayRecover()) void recovery.run();
}

function lookForLost(): void {
  if (mayRecover()) void recovery.look();
}

/**
 * Looks at this device now and whenever something may have changed, and recovers what was left behind. Once
 * per page.
 */
export function followTakesHere(): void {
  takesChannel.subscribe(() => {
    void refresh();
  });
  const lookAgain = () => {
    void refresh();
    recover();
    void flushPendingChanges().catch(() => undefined);
  };
  session.subscribe(lookAgain);
  connection.subscribe(lookAgain);
  onViewerChange(lookAgain);
  claims.subscribe(recover);
  globalThis.addEventListener('pageshow', (event) => {
    if (event.persisted) void refresh();
  });
  setInterval(() => {
    void tidy().catch(() => undefined);
  }, hour);
  void refresh()
    .then(recover)
    .then(tidy)
    .then(flushPendingChanges)
    .catch(() => undefined);
}

/**
 * Lets go of a take that is being recovered, so that it can go on in this page. @throws TypeError when it is
 * gone
 */
export async function leaveTakeToRecorder(takeId: string): Promise<TakeRecord> {
  await recovery.leave(takeId);
  releaseTake(takeId);
  const record = await getTake(takeId);
  if (record === null) throw new TypeError(`there is no take ${takeId} on this device`);
  return record;
}

/** Looks again for takes that need recovery, as this one: its worker in this page broke, or did not begin. */
export function recoverTakeSoon(takeId: string): void {
  recovery.takeBack(takeId);
  void refresh().then(recover);
}
