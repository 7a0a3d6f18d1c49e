import { limits } from '#contract/limits.ts';

/** From here on the screen warns that the longest take is near. */
export function isNearlyTooLong(capturedMs: number): boolean {
  return capturedMs >= limits.longestTakeMs * 0.95;
}

/** The longest take is reached: it is finished in order, never discarded. */
export function isTooLong(capturedMs: number): boolean {
  return capturedMs >= limits.longestTakeMs;
}

/**
 * Whether a take can still be continued: within a day, and as long as it stays below the longest take with
 * the silence since.
 */
export function mayContinue(
  { startedAtMs, durationMs }: { startedAtMs: number; durationMs: number },
  nowMs = Date.now(),
): boolean {
  const silentMs = nowMs - startedAtMs - durationMs;
  return silentMs < limits.continuedWithinMs && durationMs + silentMs < limits.longestTakeMs;
}
