import type { Store } from '#base/store.ts';
import { takeOf, type TakeState } from './take.ts';

/**
 * How far the clock may run ahead of what the worker last said: beyond it the sound itself has stopped
 * coming.
 */
const longestLeadMs = 600;

export interface ClockAnchor {
  capturedMs: number;
  atMs: number;
  isRunning: boolean;
}

/**
 * What a clock shows at `nowMs`, given what was captured at the anchor. Milliseconds; never beyond the
 * allowed lead.
 */
export function clockAt(anchor: ClockAnchor, nowMs: number): number {
  if (!anchor.isRunning) return anchor.capturedMs;
  return anchor.capturedMs + Math.min(longestLeadMs, Math.max(0, nowMs - anchor.atMs));
}

export interface TakeClock {
  /** Milliseconds of the take, in whole tenths of a second. */
  getSnapshot: () => number;
  subscribe: (listener: () => void) => () => void;
}

/**
 * A clock of ten ticks a second that runs only while somebody looks at it, and never goes back within one
 * take.
 */
export function createTakeClock(state: Store<TakeState>, nowMs: () => number): TakeClock {
  let anchor: ClockAnchor = { capturedMs: 0, atMs: 0, isRunning: false };
  let takeId: string | null = null;
  let shownMs = 0;

  const follow = () => {
    const now = state.getSnapshot();
    const take = takeOf(now);
    const capturedMs = take?.progress.capturedMs ?? 0;
    const isRunning = now.status === 'recording';
    if (take?.id !== takeId) {
      takeId = take?.id ?? null;
      shownMs = 0;
    }
    if (capturedMs !== anchor.capturedMs || isRunning !== anchor.isRunning)
      anchor = { capturedMs, atMs: nowMs(), isRunning };
  };
  state.subscribe(follow);

  return {
    getSnapshot: () => {
      shownMs = Math.max(shownMs, Math.floor(clockAt(anchor, nowMs()) / 100) * 100);
      return shownMs;
    },
    subscribe: (listener) => {
      const ticking = setInterval(listener, 100);
      const stop = state.subscribe(listener);
      return () => {
        clearInterval(ticking);
        stop();
      };
    },
  };
}
