import { setTimeout as delay } from 'node:timers/promises';
import { deferredLoads } from '#base/deferred.ts';

/**
 * Loads everything that is deferred, with a pause before each step, because a step occupies the event loop for up to
 * 100 ms.
 * @param options.signal ends it after the load in progress
 * @throws the error of the first load that fails; that of the signal
 */
export async function loadDeferred({
  firstPauseMs,
  pauseMs,
  signal,
}: {
  firstPauseMs: number;
  pauseMs: number;
  signal: AbortSignal;
}): Promise<void> {
  await delay(firstPauseMs, undefined, { ref: false, signal });
  for (const load of deferredLoads()) {
    await load();
    await delay(pauseMs, undefined, { ref: false, signal });
  }
}
