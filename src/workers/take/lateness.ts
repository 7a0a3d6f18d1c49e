import { second } from '#base/duration.ts';

// How late sound arrives, compared with the clock: what FrameClock, SlowLoss and FileClock know alike.

/** Sound card clocks are off by a few hundred ppm, at most this. The expected lateness follows no faster. */
export const maxDriftPerMs = 0.001;

/** How fast a variation of the lateness is forgotten: to half in half a minute. */
export const forgottenPerMs = Math.LN2 / (30 * second);

/** In a browser whose windows vary more, a loss has to be clearly longer than they vary. */
export const marginFactor = 1.5;

/** The lateness of what was not delayed, in milliseconds; Infinity if there is nothing. */
export function minLateness(arrivals: Iterable<{ readonly latenessMs: number }>): number {
  let minMs = Infinity;
  for (const { latenessMs } of arrivals) minMs = Math.min(minMs, latenessMs);
  return minMs;
}
