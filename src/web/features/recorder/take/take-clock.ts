import type { Store } from '#base/store.ts';
import { takeOf, type TakeState } from './take.ts';

/** How far the clock may run ahead of the worker's last report. Beyond this, capture has stopped. */
const maxLeadMs = 600;

export interface ClockAnchor {
  capturedMs: number;
  atMs: number;
  isRunning: boolean;
}

/** The time in milliseconds to show at `nowMs`, extrapolated from the anchor by at most the allowed lead. */
export function clockAt(anchor: ClockAnchor, nowMs: number): number {
  if (!anchor.isRunning) return anchor.capturedMs;
  return anchor.capturedMs + Math.min(maxLeadMs, Math.max(0, nowMs - anchor.atMs));
}

export interface TakeClock {
  /** Milliseconds of the take, in whole tenths of a second. */
  getSnapshot: () => number;
  subscribe: (listener: () => void) => () => void;
}

/** A clock that ticks ten times a second while it has subscribers, and never goes backwards within one take. */
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
