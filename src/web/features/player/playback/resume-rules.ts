import { second } from '#base/duration.ts';

/** So near the beginning or the end nobody wants to go on: it begins again. */
const marginMs = 3 * second;

/** Where to go on in a recording that was left at a position; null where it begins again. */
export const resumeAt = (leftMs: number, durationMs: number): number | null =>
  leftMs >= marginMs && leftMs <= durationMs - marginMs ? leftMs : null;

/** Of two notes of where it was left, the one that was heard last. */
export function latestOf<T extends { playedAtMs: number }>(one: T | null, other: T | null): T | null {
  if (!one || !other) return one ?? other;
  return other.playedAtMs > one.playedAtMs ? other : one;
}
