import { limits } from '#contract/limits.ts';

/** From here on the screen warns that the longest take is near. */
export function isNearlyTooLong(capturedMs: number): boolean {
  return capturedMs >= limits.longestTakeMs * 0.95;
}

/** The longest take is reached: it is finished in order, never discarded. */
export function isTooLong(capturedMs: number): boolean {
  return capturedMs >= limits.longestTakeMs;
}
