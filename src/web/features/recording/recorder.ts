import { uuidV7 } from '#base/uuid-v7.ts';
import { queryClient, recordingKeys } from '#web/api/query-client.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { announceTake } from './announce-take.ts';
import { audioPreferences } from './audio-preferences.ts';
import { keepPartsAtHand } from './devices/parts-at-hand.ts';
import { browserDevices } from './devices/take-devices.ts';
import { recoverSoon } from './local/local-takes-store.ts';
import { changeSentMarker, renameLocalTake, settleTrash } from './local/take-actions.ts';
import { takesChannel } from './local/takes-channel.ts';
import { reportDiscarded } from './report-discarded.ts';
import { TakeRecorder } from './take-recorder.ts';
import { defaultTitle } from './take/default-title.ts';
import { serverRegistry } from './take/server-registry.ts';
import type { TakeState } from './take/take.ts';
import { createTakeClock } from './take/take-clock.ts';

/** The one recorder of this page: it outlives every screen and every language. */
export const recorder = new TakeRecorder({
  devices: browserDevices,
  registry: serverRegistry,
  preferences: audioPreferences.getSnapshot,
  nowMs: () => Date.now(),
  newId: () => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16))),
  timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  titleFor: defaultTitle,
  onTakesChanged: () => { takesChannel.tell(); },
  onReceipt: (takeId) => {
    void settleTrash(takeId);
    void queryClient.invalidateQueries({ queryKey: recordingKeys.lists });
  },
  onMarkerChanged: (takeId, markerId, label) => { void changeSentMarker(takeId, markerId, label); },
  onRenamedLater: (takeId, title) => { void renameLocalTake(takeId, title); },
  onOrphan: recoverSoon,
  onDiscarded: reportDiscarded,
});

announceTake(recorder);
keepPartsAtHand();

const clock = createTakeClock(recorder, () => performance.now());

/** The take and where it stands. */
export function useTake(): TakeState {
  return useStore(recorder);
}

/** Milliseconds of the present take, in tenths, ten times a second. */
export function useTakeClock(): number {
  return useStore(clock);
}
