import type { WritableStore } from '#base/store.ts';
import { userScope } from '#web/api/user-scope.ts';

/** A stretch of the recording, in milliseconds from its beginning. */
export interface SoundSelection {
  fromMs: number;
  toMs: number;
}

/** Shorter than this is a slip of the hand. */
const shortestSelectionMs = 50;

/**
 * The stretch from one moment to another, whichever comes first, inside the recording; null where it is too
 * short to mean anything.
 */
export function rangeOf(aMs: number, bMs: number, durationMs: number): SoundSelection | null {
  const inside = (atMs: number) => Math.round(Math.min(Math.max(0, atMs), durationMs));
  const [fromMs, toMs] = [inside(Math.min(aMs, bMs)), inside(Math.max(aMs, bMs))];
  return toMs - fromMs < shortestSelectionMs ? null : { fromMs, toMs };
}

const chosen = userScope.createStore<SoundSelection | null>(null);

/** What is selected in the recording that the player shows; null while nothing is. */
export const selection: WritableStore<SoundSelection | null> = {
  ...chosen,
  set(next) {
    const before = chosen.getSnapshot();
    if (next?.fromMs !== before?.fromMs || next?.toMs !== before?.toMs) chosen.set(next);
  },
};
