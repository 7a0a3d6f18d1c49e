import type { FastifyReply } from 'fastify';
import type { SignedIn } from '#contract/accounts-api.ts';
import type { RouteContext } from '#server/http/route.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';
import type { AccountCookies } from '#server/features/accounts/cookies.ts';
import { presentSession, presentUser } from '#server/features/accounts/present.ts';
import { announceEnded } from './sessions-of-user.ts';
import type { SessionsDeps } from './sessions-deps.ts';
import { isShared } from './sessions-store.ts';

/** The origin of a request and the session token it carried. */
export interface Caller {
  ip: string;
  userAgent: string | undefined;
  presentedToken: string | null;
}

/** A session that was started or renewed. Its token must never be stored in a row or sent in a response body. */
export interface NewSignIn {
  user: UserRow;
  session: SessionRow;
  token: string;
  /** The previous session of this browser, which has been ended. */
  ended: SessionRow | null;
  /** The hash of the password if this device has just proved knowledge of it, otherwise null. */
  passwordHash: string | null;
}

/** Reads the caller from a request. */
export function callerOf(
  { request, ip }: Pick<RouteContext<unknown>, 'request' | 'ip'>,
  cookies: AccountCookies,
): Caller {
  return { ip, userAgent: request.headers['user-agent'], presentedToken: cookies.sessionToken(request) };
}

/** Sets the session cookie, closes the open connections of the previous session, and returns the signed-in user. */
export function issueSession(
  deps: Pick<SessionsDeps, 'cookies' | 'takes' | 'onSessionEnded'>,
  signIn: NewSignIn,
  reply: FastifyReply,
): SignedIn {
  deps.cookies.setSession(reply, signIn.token, { remember: !isShared(signIn.session) });
  if (signIn.passwordHash !== null) deps.cookies.rememberDevice(reply, signIn.passwordHash);
  if (signIn.ended) announceEnded(deps, [signIn.ended]);
  return { user: presentUser(signIn.user), session: presentSession(signIn.session) };
}
