import { limits } from '#contract/limits.ts';

/** Whether the screen warns that the take is close to the maximum length. */
export function isNearlyTooLong(capturedMs: number): boolean {
  return capturedMs >= limits.maxTakeMs * 0.95;
}

/** Whether the take has reached the maximum length. It is then stopped normally, never discarded. */
export function isTooLong(capturedMs: number): boolean {
  return capturedMs >= limits.maxTakeMs;
}

/**
 * Whether a take can still be continued: within `limits.continuedWithinMs`, and if its length including the
 * silence since stays below the maximum. A take of unknown length can't: nobody knows where it would continue.
 */
export function mayContinue(
  { startedAtMs, durationMs }: { startedAtMs: number; durationMs: number | null },
  nowMs = Date.now(),
): boolean {
  if (durationMs === null) return false;
  const silentMs = nowMs - startedAtMs - durationMs;
  return silentMs < limits.continuedWithinMs && durationMs + silentMs < limits.maxTakeMs;
}
