import { createStore } from '#base/store.ts';
import { recorder } from '#web/features/recorder/recorder.ts';

/** A take to continue, and how long it is; null while nothing has measured it. */
export interface ContinuedTake {
  id: string;
  lengthMs: number | null;
}

/**
 * Asks whether listeners hear the new part, where links play the take, and continues it; null until
 * app/lazy-overlays.tsx has connected sharing.
 */
export const takeContinuing = createStore<((take: ContinuedTake) => void) | null>(null);

/** Continues a take, after a question if it is shared. Without an answer the server lets no link play the new part. */
export function continueTake(take: ContinuedTake): void {
  const ask = takeContinuing.getSnapshot();
  if (ask) ask(take);
  else void recorder.continueTake(take.id);
}
