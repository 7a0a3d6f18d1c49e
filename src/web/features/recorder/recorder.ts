import { second } from '#base/duration.ts';
import { newId } from '#device/new-id.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from './audio-preferences.ts';
import { startLocalTake, prefetchCapture, followTake } from './lazy-capture.ts';
import { dismissRecovered } from './recovery/recovered-takes.ts';
import { recoverSoon, releaseToRecorder } from './recovery/load-recovery.ts';
import { claims } from '#device/takes/claims.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { TakeRecorder } from '#web/features/recorder/take/take-recorder.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import { createTakeClock } from '#web/features/recorder/take/take-clock.ts';

const loadActions = () => import('#web/features/recorder/recovery/take-actions.ts');

/** The one recorder of this page: it outlives every screen and every language. */
export const recorder = new TakeRecorder({
  startTake: startLocalTake,
  quality: () => audioPreferences.getSnapshot().quality,
  markerBackMs: () => audioPreferences.getSnapshot().markerBackSeconds * second,
  registry: serverRegistry,
  nowMs: () => Date.now(),
  newId,
  timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  revive: releaseToRecorder,
  onStarted: (takeId) => {
    claims.add([takeId]);
    dismissRecovered(takeId);
  },
  onTakesChanged: () => {
    takesChannel.notify();
  },
  onReceipt: (takeId) => {
    void loadActions().then(({ meetReceipt }) => meetReceipt(takeId));
  },
  onMarkerChanged: (takeId, markerId, label) => {
    void loadActions().then(({ changeSentMarker }) => changeSentMarker(takeId, markerId, label));
  },
  onRenamedLater: (takeId, title) => {
    void loadActions().then(({ renameLocalTake }) => renameLocalTake(takeId, title));
  },
  onTitleThere: (takeId, title) => {
    void loadActions().then(({ noteTitleThere }) => noteTitleThere(takeId, title));
  },
  onOrphan: recoverSoon,
  // Where this cannot be fetched the take stays in the library.
  onDiscarded: (take) => {
    void import('./notices/report-discarded.ts')
      .then(({ reportDiscarded }) => reportDiscarded(take))
      .catch(() => undefined);
  },
});

followTake(recorder);
void prefetchCapture();

/** Milliseconds of the present take. */
export const takeClock = createTakeClock(recorder, () => performance.now());

/** The take and where it stands. */
export function useTake(): TakeState {
  return useStore(recorder);
}

/** Milliseconds of the present take, in tenths, ten times a second. */
export function useTakeClock(): number {
  return useStore(takeClock);
}
