import type { FastifyRequest } from 'fastify';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { sessionChallenge } from '#server/http/pipeline/identify-caller.ts';
import type { SessionsDeps } from './sessions-deps.ts';
import { type SessionWithUser, findSession } from './sessions-store.ts';

/** Builds the principal of a session. */
export const sessionPrincipalOf = ({ session, user }: SessionWithUser): SessionPrincipal => ({
  kind: 'session',
  userId: user.id,
  role: user.role,
  sessionId: session.id,
  tokenHash: session.token_hash,
  authTimeMs: session.proven_at ?? 0,
});

/**
 * Returns the signed-in user of a request to a route that does not require a session.
 * @throws session-required or session-expired (401), principal-changed (409)
 */
export async function signedInPrincipal(
  { cookies, database, clock }: Pick<SessionsDeps, 'cookies' | 'database' | 'clock'>,
  request: FastifyRequest,
): Promise<SessionPrincipal> {
  const token = cookies.sessionToken(request);
  if (token === null) throw new ProblemError('session-required', { headers: sessionChallenge });
  const found = await findSession(database.queries, token, clock.nowMs());
  if (!found) throw new ProblemError('session-expired', { headers: sessionChallenge });
  const expected = request.headers['x-expected-principal'];
  if (expected !== undefined && expected !== found.user.id) throw new ProblemError('principal-changed');
  return sessionPrincipalOf(found);
}
