import { serverLimits } from '#contract/server-limits.ts';
import type { Clock } from '#base/clock.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { pastOrNull } from '#server/storage/rows/moments.ts';

/**
 * Whether a proof is less than ten minutes old. A time in the future, caused by a wrong clock or corrupt data,
 * does not count.
 */
export const isRecent = (provenAtMs: number | null, nowMs: number): boolean =>
  nowMs - (pastOrNull(provenAtMs, nowMs) ?? 0) < serverLimits.reauthenticationMs;

/**
 * Requires that the session's user proved who they are less than ten minutes ago (ASVS 7.5.1).
 * @throws reauthentication-required (403) although the session is valid: the page then prompts for the proof and
 * repeats the request
 */
export function requireRecentAuth(principal: SessionPrincipal, clock: Clock): SessionPrincipal {
  if (!isRecent(principal.authTimeMs, clock.nowMs())) throw new ProblemError('reauthentication-required');
  return principal;
}
