import type { FastifyReply } from 'fastify';
import type { SignedIn } from '#contract/accounts-api.ts';
import type { RouteContext } from '#server/http/route.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';
import type { AccountCookies } from '#server/features/accounts/cookies.ts';
import { presentSession, presentUser } from '#server/features/accounts/present.ts';
import type { SessionsDeps } from './sessions-deps.ts';
import { isShared } from './sessions-store.ts';

/** Where a request comes from, and the session it brought. */
export interface Caller {
  ip: string;
  userAgent: string | undefined;
  presentedToken: string | null;
}

/** A session that was started or renewed, with the token that no row and no reply body may hold. */
export interface NewSignIn {
  user: UserRow;
  session: SessionRow;
  token: string;
  /** The session this browser had before, ended now. */
  ended: SessionRow | null;
  /** Set where this device has just proven knowledge of this password. */
  passwordHash: string | null;
}

/** Where a request comes from, and the session it brought. */
export function callerOf(
  { request, ip }: Pick<RouteContext<unknown>, 'request' | 'ip'>,
  cookies: AccountCookies,
): Caller {
  return { ip, userAgent: request.headers['user-agent'], presentedToken: cookies.sessionToken(request) };
}

/**
 * Puts a session into the browser's cookie, closes what the one before it had open, and answers with who is
 * signed in.
 */
export function issueSession(
  deps: Pick<SessionsDeps, 'cookies' | 'onSessionEnded'>,
  signIn: NewSignIn,
  reply: FastifyReply,
): SignedIn {
  deps.cookies.setSession(reply, signIn.token, { remember: !isShared(signIn.session) });
  if (signIn.passwordHash !== null) deps.cookies.rememberDevice(reply, signIn.passwordHash);
  if (signIn.ended) deps.onSessionEnded(signIn.ended.id, signIn.ended.user_id);
  return { user: presentUser(signIn.user), session: presentSession(signIn.session) };
}
