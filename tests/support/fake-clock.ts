import type { Clock } from '#base/clock.ts';

export interface FakeClock extends Clock {
  /** Moves time forward. */
  advance(durationMs: number): void;
}

/** A clock that only moves when a test advances it. */
export function fakeClock(startMs = Date.UTC(2026, 10, 21, 9)): FakeClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (durationMs) => {
      nowMs += durationMs;
    },
  };
}
