import captureWorkletUrl from '#workers/capture/capture.worklet.ts?worker&url';
import takeWorkerUrl from '#workers/take/take.worker.ts?worker&url';
import { whenAnswered } from '#web/api/when-idle.ts';
import { loadFollowers } from '#web/features/recorder/follow-take.ts';
import { loadCapture } from './start-local-take.ts';

/**
 * Fetches, once the page rests, the scripts that a take needs into the browser's cache, where their names
 * make them stay: Record works in a train that has meanwhile entered its tunnel.
 */
export async function keepPartsAtHand(): Promise<void> {
  await whenAnswered();
  for (const load of [loadCapture, loadFollowers]) void load().catch(() => undefined);
  for (const url of [captureWorkletUrl, takeWorkerUrl])
    void fetch(url, { priority: 'low', redirect: 'manual' })
      .then((reply) => reply.arrayBuffer())
      .catch(() => undefined);
}
