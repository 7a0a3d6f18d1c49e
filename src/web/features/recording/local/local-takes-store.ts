import { hour } from '#base/duration.ts';
import { listTakes, removeTake } from '#workers/encode/takes-store.ts';
import { session } from '#web/api/session.ts';
import { createStore, type Store } from '#web/api/support/store.ts';
import { startTakeWorker } from '../devices/take-worker.ts';
import { serverRegistry } from '../take/server-registry.ts';
import { heldTakeIds, whenWriterEnds } from './held-takes.ts';
import { takesFor, type LocalTake } from './local-take.ts';
import { createRecovery, type RecoveredTake } from './recovery.ts';
import { takesToRemove } from './recovery-plan.ts';
import { takesChannel } from './takes-channel.ts';
import { settleTrash } from './take-actions.ts';

export interface LocalTakesState {
  /** False until this device was looked at for the first time. */
  isLoaded: boolean;
  takes: readonly LocalTake[];
  /** Takes brought home since this page was opened; the screen tells of them until they are dismissed. */
  recovered: readonly RecoveredTake[];
}

const store = createStore<LocalTakesState>({ isLoaded: false, takes: [], recovered: [] });
const change = (changes: Partial<LocalTakesState>) => { store.set({ ...store.getSnapshot(), ...changes }); };

/** A browser that refuses storage has no takes; the recorder says so when it is asked to record. */
const records = () => listTakes().catch(() => []);

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
  const [found, held] = await Promise.all([records(), heldTakeIds()]);
  watchWriters(held);
  change({ isLoaded: true, takes: takesFor(found, { userId: session.getSnapshot().user?.id ?? null, heldTakeIds: held }) });
}

async function tidy(): Promise<void> {
  const [found, held] = await Promise.all([records(), heldTakeIds()]);
  const old = takesToRemove(found, held, Date.now());
  for (const { id } of old) await removeTake(id);
  if (old.length > 0) takesChannel.tell();
}

const recovery = createRecovery({
  listTakes: records,
  heldTakeIds,
  startTakeWorker,
  registry: serverRegistry,
  onChange: () => { takesChannel.tell(); },
  onRecovered: (take) => { change({ recovered: [...store.getSnapshot().recovered, take] }); },
  onReceipt: (takeId) => { void settleTrash(takeId); },
});

/** The first word on who is signed in is waited for, so that another person's take is not touched by mistake. */
const mayRecover = (): boolean => session.getSnapshot().status !== 'unknown' || !navigator.onLine;

function recover(): void {
  if (mayRecover()) void recovery.run();
}

function lookForLost(): void {
  if (mayRecover()) void recovery.look();
}

let isStarted = false;

function start(): void {
  if (isStarted) return;
  isStarted = true;
  takesChannel.subscribe(() => { void refresh(); });
  session.subscribe(() => {
    void refresh();
    recover();
  });
  globalThis.addEventListener('pageshow', (event) => { if (event.persisted) void refresh(); });
  setInterval(() => { void tidy(); }, hour);
  void refresh().then(recover).then(tidy);
}

/** The takes on this device, for the person in front of it. Looks at the device when it is first listened to. */
export const localTakes: Store<LocalTakesState> = {
  getSnapshot: () => store.getSnapshot(),
  subscribe: (listener) => {
    start();
    return store.subscribe(listener);
  },
};

export function dismissRecovered(takeId: string): void {
  change({ recovered: store.getSnapshot().recovered.filter(({ id }) => id !== takeId) });
}

/** Looks again for takes that need bringing home: after a worker of this page broke. */
export function recoverSoon(): void {
  void refresh().then(recover);
}
