// What the recorder loads for a take. Apart from lazy-parts.tsx, whose components import the recorder.
import captureWorkletUrl from '#workers/capture/capture.worklet.ts?worker&url';
import takeWorkerUrl from '#workers/take/take.worker.ts?worker&url';
import type { Store } from '#base/store.ts';
import { whenAnswered } from '#web/api/when-idle.ts';
import type { CaptureSession, StartTake } from './capture/capture-session.ts';
import { openAudioContext } from './capture/open-audio-context.ts';
import type { TakeState } from './take/take.ts';

const loadCapture = () => import('./capture/capture-session.ts');

const loadFollowers = () => import('./notices/take-followers.ts');

/**
 * Opens this browser's microphone, pipeline and worker. The audio context comes first, during the press.
 * @throws CaptureError
 */
export async function startLocalTake(options: Omit<StartTake, 'context'>): Promise<CaptureSession> {
  const context = openAudioContext();
  const { startTake } = await loadCapture().catch((error: unknown) => {
    void context.close();
    throw error;
  });
  return startTake({ ...options, context });
}

/** Starts what accompanies takes beside the screen when the first take starts; without it the screen suffices. */
export function followTake(recorder: Store<TakeState> & { signalled: () => void }): void {
  const before = recorder.getSnapshot();
  const stopWaiting = recorder.subscribe(() => {
    stopWaiting();
    void loadFollowers()
      .then(({ startFollowing }) => {
        startFollowing(recorder, before);
      })
      .catch(() => undefined);
  });
}

/**
 * Fetches the scripts of a take into the browser's cache once the page is idle, so that Record works without
 * a network. Their names contain their hash, so they stay cached.
 */
export async function prefetchCapture(): Promise<void> {
  await whenAnswered();
  for (const load of [loadCapture, loadFollowers]) void load().catch(() => undefined);
  for (const url of [captureWorkletUrl, takeWorkerUrl])
    void fetch(url, { priority: 'low', redirect: 'manual' })
      .then((reply) => reply.arrayBuffer())
      .catch(() => undefined);
}
