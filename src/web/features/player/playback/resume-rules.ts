import { second } from '#base/duration.ts';

/** Playback starts over if it stopped this close to the start or the end. */
const marginMs = 3 * second;

/** Where to resume a recording; null if it starts over. */
export const resumeAt = (leftMs: number, durationMs: number): number | null =>
  leftMs >= marginMs && leftMs <= durationMs - marginMs ? leftMs : null;

/** The more recent of two saved positions. */
export function latestOf<T extends { playedAtMs: number }>(one: T | null, other: T | null): T | null {
  if (!one || !other) return one ?? other;
  return other.playedAtMs > one.playedAtMs ? other : one;
}
