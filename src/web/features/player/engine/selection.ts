import type { WritableStore } from '#base/store.ts';
import type { SoundSelection } from '#playback/playback-state.ts';
import { userScope } from '#web/api/user-scope.ts';

/** A shorter selection is treated as accidental. */
const minSelectionMs = 50;

/** The range between two moments in either order, clamped to the recording; null if it is too short. */
export function rangeOf(aMs: number, bMs: number, durationMs: number): SoundSelection | null {
  const inside = (atMs: number) => Math.round(Math.min(Math.max(0, atMs), durationMs));
  const [fromMs, toMs] = [inside(Math.min(aMs, bMs)), inside(Math.max(aMs, bMs))];
  return toMs - fromMs < minSelectionMs ? null : { fromMs, toMs };
}

const chosen = userScope.createStore<SoundSelection | null>(null);

/** The selection in the recording that the player shows; null if there is none. */
export const selection: WritableStore<SoundSelection | null> = {
  ...chosen,
  set(next) {
    const before = chosen.getSnapshot();
    if (next?.fromMs !== before?.fromMs || next?.toMs !== before?.toMs) chosen.set(next);
  },
};
