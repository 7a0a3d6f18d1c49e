import { limits } from '#contract/limits.ts';
import type { Clock } from '#base/clock.ts';
import type { SessionPrincipal } from '../../../http/principal.ts';
import { ProblemError } from '../../../http/problem.ts';

/**
 * Lets only a session through whose person proved themself less than ten minutes ago (ASVS 7.5.1).
 * Throws reauthentication-required (403): the session is good, so the page asks for the proof and sends the same request again.
 */
export function requireRecentAuth(principal: SessionPrincipal, clock: Clock): SessionPrincipal {
  if (clock.nowMs() - principal.authTimeMs >= limits.reauthenticationMs) throw new ProblemError('reauthentication-required');
  return principal;
}
