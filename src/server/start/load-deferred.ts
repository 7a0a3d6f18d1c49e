import { setTimeout as delay } from 'node:timers/promises';
import { deferredLoads } from '#base/deferred.ts';

/**
 * Loads everything that is deferred, with a pause before each step, because a step occupies the event loop for up to
 * 100 ms.
 * @param options.isStopped asked after each pause
 * @returns whether everything is loaded
 * @throws the error of the first load that fails
 */
export async function loadDeferred({
  firstPauseMs,
  pauseMs,
  isStopped,
}: {
  firstPauseMs: number;
  pauseMs: number;
  isStopped: () => boolean;
}): Promise<boolean> {
  await delay(firstPauseMs, undefined, { ref: false });
  for (const load of deferredLoads()) {
    if (isStopped()) return false;
    await load();
    await delay(pauseMs, undefined, { ref: false });
  }
  return true;
}
