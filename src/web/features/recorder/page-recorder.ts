import { second } from '#base/duration.ts';
import { loadInBackground } from '#web/ui/lazy/load-in-background.ts';
import captureWorkletUrl from '#workers/capture/capture.worklet.ts?worker&url';
import takeWorkerUrl from '#workers/take/take.worker.ts?worker&url';
import { newId } from '#device/new-id.ts';
import { backgroundChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { audioPreferences } from './audio-preferences.ts';
import { startTake } from './capture/capture-session.ts';
import { openAudioContext } from './capture/open-audio-context.ts';
import { dismissRecovered } from './recovery/recovered-takes.ts';
import { recoverSoon, releaseToRecorder } from './recovery/load-recovery.ts';
import { claims } from '#device/takes/claims.ts';
import { ownerOfNewTake } from '#web/recordings/owners/owner-of-new-take.ts';
import { accessTo, addTabTake, viewer } from '#device/takes/viewer.ts';
import { viewedTakes } from '#web/features/recorder/take/viewed-take.ts';
import { takesChannel } from '#device/takes/takes-channel.ts';
import { tabsChannel } from './other-tabs/tabs-channel.ts';
import { tellOtherTabs } from './other-tabs/tell-other-tabs.ts';
import { TakeRecorder } from '#web/features/recorder/take/take-recorder.ts';
import { serverRegistry } from '#web/features/recorder/take/server-registry.ts';

// One load for all: changes of a take are made in their order.
const actions = backgroundChunk(() => import('#web/features/recorder/recovery/take-actions.ts'));
const loadFollowers = () => import('./notices/take-followers.ts');

/** What `recorder` (recorder.ts) loads: the only one of this page, with everything that a take needs. */
export const takeRecorder = new TakeRecorder({
  startTake: ({ context = openAudioContext(), ...options }) => startTake({ ...options, context }),
  quality: () => audioPreferences.getSnapshot().quality,
  markerBackMs: () => audioPreferences.getSnapshot().markerBackSeconds * second,
  registry: serverRegistry,
  ownerOfNewTake,
  mayChange: (take) => accessTo(take, viewer.getSnapshot()) === 'full',
  nowMs: () => Date.now(),
  newId,
  timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  revive: releaseToRecorder,
  onStarted: (takeId) => {
    claims.add([takeId]);
    addTabTake(takeId);
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
  onRejected: (takeId, rejection) => {
    void import('./recovery/server-words.ts').then(({ rejectTake }) => rejectTake(takeId, rejection));
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
  const viewed = viewedTakes(takeRecorder);
  const before = viewed.getSnapshot();
  const stopWaiting = viewed.subscribe(() => {
    stopWaiting();
    void loadInBackground(loadFollowers).then(({ startFollowing }) => {
      startFollowing({ ...viewed, signalled: takeRecorder.signalled }, before);
    });
  });
}

/**
 * Loads the rest of a take's scripts into the browser's cache, so that Record works offline. Their names contain
 * their hash, so they stay cached.
 */
export function prefetchTake(): void {
  void loadFollowers().catch(() => undefined);
  for (const url of [captureWorkletUrl, takeWorkerUrl])
    void fetch(url, { priority: 'low', redirect: 'manual' })
      .then((reply) => reply.arrayBuffer())
      .catch(() => undefined);
}

followTakes();
tellOtherTabs(takeRecorder, tabsChannel);
