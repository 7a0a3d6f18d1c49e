import { serverLimits } from '#contract/server-limits.ts';
import type { Clock } from '#base/clock.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { pastOrNull } from '#server/storage/rows/moments.ts';

/**
 * Whether a proof was given less than ten minutes ago. One in the future, by a wrong clock or a broken
 * number, is none.
 */
export const isRecent = (provenAtMs: number | null, nowMs: number): boolean =>
  nowMs - (pastOrNull(provenAtMs, nowMs) ?? 0) < serverLimits.reauthenticationMs;

/**
 * Lets only a session through whose user proved themself less than ten minutes ago (ASVS 7.5.1).
 * Throws reauthentication-required (403): the session is good, so the page asks for the proof and sends the
 * same request again.
 */
export function requireRecentAuth(principal: SessionPrincipal, clock: Clock): SessionPrincipal {
  if (!isRecent(principal.authTimeMs, clock.nowMs())) throw new ProblemError('reauthentication-required');
  return principal;
}
