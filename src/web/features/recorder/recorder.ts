import { loadInBackground } from '#web/ui/lazy/load-in-background.ts';
import { afterFirstResponses } from '#web/api/when-idle.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { openAudioContext } from './capture/open-audio-context.ts';
// Recovers lost takes as soon as a screen reads the device.
import './recovery/load-recovery.ts';
import { DeferredRecorder } from '#web/features/recorder/take/deferred-recorder.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import { createTakeClock } from '#web/features/recorder/take/take-clock.ts';

/** Loaded lazily, because the first screen only shows that nothing is recorded yet. */
const loadPageRecorder = () => import('./page-recorder.ts');

/** The only recorder of this page. It outlives every screen and every change of language. */
export const recorder = new DeferredRecorder({
  load: async () => (await loadPageRecorder()).takeRecorder,
  openAudioContext,
});

/** Loads the code of a take once the page is idle, so that Record starts at once, also offline. */
async function prefetchTakes(): Promise<void> {
  await afterFirstResponses();
  await loadInBackground(recorder.load);
  (await loadPageRecorder()).prefetchTake();
}

void prefetchTakes();

/** The length of the current take in milliseconds. */
export const takeClock = createTakeClock(recorder.everyTake, () => performance.now());

/** The take and its state, as the viewer may see it. */
export function useTake(): TakeState {
  return useStore(recorder);
}

/** The length of the current take in milliseconds, in whole tenths of a second, updated ten times a second. */
export function useTakeClock(): number {
  return useStore(takeClock);
}
