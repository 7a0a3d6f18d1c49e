import { second } from '#base/duration.ts';
import { loadInBackground } from '#web/ui/lazy/load-in-background.ts';
import { whenAnswered } from '#web/api/when-idle.ts';
import captureWorkletUrl from '#workers/capture/capture.worklet.ts?worker&url';
import takeWorkerUrl from '#workers/take/take.worker.ts?worker&url';
import { newId } from '#device/new-id.ts';
import { userScope } from '#web/api/user-scope.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { backgroundChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { audioPreferences } from './audio-preferences.ts';
import type { CaptureSession, StartTake } from './capture/capture-session.ts';
import { openAudioContext } from './capture/open-audio-context.ts';
import { dismissRecovered } from './recovery/recovered-takes.ts';
import { recoverSoon, releaseToRecorder } from './recovery/load-recovery.ts';
import { claims } from '#device/takes/claims.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { TakeRecorder } from '#web/features/recorder/take/take-recorder.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';
import { isInMemory } from '#web/features/recorder/take/take-safety.ts';
import { takeOf, type TakeState } from '#web/features/recorder/take/take.ts';
import { createTakeClock } from '#web/features/recorder/take/take-clock.ts';

// Loaded lazily, because the first screen does not need them.
// One load for all: changes of a take are made in their order.
const actions = backgroundChunk(() => import('#web/features/recorder/recovery/take-actions.ts'));
const loadCapture = () => import('./capture/capture-session.ts');
const loadFollowers = () => import('./notices/take-followers.ts');

/**
 * Opens microphone, pipeline and worker. The audio context is created first, during the press.
 * @throws CaptureError
 */
async function startLocalTake(options: Omit<StartTake, 'context'>): Promise<CaptureSession> {
  const context = openAudioContext();
  const { startTake } = await loadCapture().catch((error: unknown) => {
    void context.close();
    throw error;
  });
  return startTake({ ...options, context });
}

/** The only recorder of this page. It outlives every screen and every change of language. */
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
    void actions.load().then(({ handleReceipt }) => handleReceipt(takeId));
  },
  onMarkerChanged: (takeId, markerId, label) => {
    void actions.load().then(({ changeSentMarker }) => changeSentMarker(takeId, markerId, label));
  },
  onRenamedLater: (takeId, title) => {
    void actions.load().then(({ renameLocalTake }) => renameLocalTake(takeId, title));
  },
  onTitleThere: (takeId, title) => {
    void actions.load().then(({ acknowledgeTitle }) => acknowledgeTitle(takeId, title));
  },
  onOrphan: recoverSoon,
  // If this can't be loaded, the take stays in the library.
  onDiscarded: (take) => {
    void import('./notices/report-discarded.ts')
      .then(({ reportDiscarded }) => reportDiscarded(take))
      .catch(() => undefined);
  },
});

/** Loads the announcements, alarms and cues when the first take starts. Takes work without them. */
function followTakes(): void {
  const before = recorder.getSnapshot();
  const stopWaiting = recorder.subscribe(() => {
    stopWaiting();
    void loadInBackground(loadFollowers).then(({ startFollowing }) => {
      startFollowing(recorder, before);
    });
  });
}

/**
 * Loads the scripts of a take into the browser's cache once the page is idle, so that Record works offline. Their
 * names contain their hash, so they stay cached.
 */
async function prefetchCapture(): Promise<void> {
  await whenAnswered();
  for (const load of [loadCapture, loadFollowers]) void load().catch(() => undefined);
  for (const url of [captureWorkletUrl, takeWorkerUrl])
    void fetch(url, { priority: 'low', redirect: 'manual' })
      .then((reply) => reply.arrayBuffer())
      .catch(() => undefined);
}

userScope.onUserLeft(claims.clear);
// Hides the result of a take, whose upload continues, from the next user. A result that only this page has stays
// visible with its warning. A running take is never affected.
userScope.onUserLeft(() => {
  const isHidden = () => {
    const state = recorder.getSnapshot();
    const take = takeOf(state);
    return take !== null && (state.status === 'stopped' || state.status === 'rejected') && !isInMemory(take);
  };
  // Dismiss twice if the microphone was rejected while a result was shown.
  while (isHidden()) recorder.dismiss();
});

followTakes();
void prefetchCapture();

/** The length of the current take in milliseconds. */
export const takeClock = createTakeClock(recorder, () => performance.now());

/** The take and its state. */
export function useTake(): TakeState {
  return useStore(recorder);
}

/** The length of the current take in milliseconds, in whole tenths of a second, updated ten times a second. */
export function useTakeClock(): number {
  return useStore(takeClock);
}
