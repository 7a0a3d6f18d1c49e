import type { FastifyRequest } from 'fastify';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { AccountsRoutesDeps } from '#server/features/accounts/present.ts';
import type { ProviderRegister } from '#server/features/accounts/providers/create-providers.ts';
import { findSession } from '#server/features/accounts/sessions/sessions-store.ts';
import { sessionChallenge } from '#server/features/accounts/sessions/reject-sign-in.ts';
import type { FlowThrottle } from '#server/features/accounts/throttle/flow-throttle.ts';

/** What the calls about providers work with. */
export interface ProviderContext extends AccountsRoutesDeps {
  providers: ProviderRegister;
  flowThrottle: FlowThrottle;
}

/**
 * Who is signed in on a call that anyone may make. Throws session-required, session-expired (401) or
 * principal-changed (409).
 */
export async function signedInPrincipal(
  context: ProviderContext,
  request: FastifyRequest,
): Promise<SessionPrincipal> {
  const token = context.cookies.sessionToken(request);
  if (token === null) throw new ProblemError('session-required', { headers: sessionChallenge });
  const found = await findSession(context.database.queries, token, context.clock.nowMs());
  if (!found) throw new ProblemError('session-expired', { headers: sessionChallenge });
  const expected = request.headers['x-expected-principal'];
  if (expected !== undefined && expected !== found.user.id) throw new ProblemError('principal-changed');
  return {
    kind: 'session',
    userId: found.user.id,
    role: found.user.role,
    sessionId: found.session.id,
    tokenHash: found.session.token_hash,
    authTimeMs: found.session.proven_at ?? 0,
  };
}
