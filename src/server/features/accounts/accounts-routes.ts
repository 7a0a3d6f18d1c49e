import type { FastifyReply } from 'fastify';
import { instantOf } from '#base/instant.ts';
import { changeProfile, getSession, logIn as logInEndpoint, logOut, signUp as signUpEndpoint, type SignedIn, type User } from '#contract/accounts-api.ts';
import { sessionOf } from '../../http/callers.ts';
import { ProblemError } from '../../http/problem.ts';
import { route, type Route, type RouteContext } from '../../http/route.ts';
import type { SessionRow, UserRow } from '../../storage/database/schema.ts';
import type { AccountsContext, Caller, NewSignIn } from './accounts-context.ts';
import { recordEvent } from './audit-log.ts';
import type { AccountCookies } from './cookies.ts';
import { logIn } from './log-in.ts';
import { endSession, findSession, isShared, touchSession } from './sessions-store.ts';
import { signUp } from './sign-up.ts';
import { hasNoUser, updateUser } from './users-store.ts';

export interface AccountsRoutesDeps extends AccountsContext {
  cookies: AccountCookies;
  onSessionEnded: (sessionId: string, userId: string) => void;
  onProfileChanged: (userId: string) => void;
}

const presentUser = (row: UserRow): User => ({
  id: row.id, displayName: row.display_name, email: row.email, locale: row.locale, role: row.role, createdAt: instantOf(row.created_at),
});

const presentSession = (row: SessionRow): SignedIn['session'] => ({
  id: row.id, createdAt: instantOf(row.created_at), authTime: instantOf(row.auth_time), idleExpiresAt: instantOf(row.idle_expires_at),
  absoluteExpiresAt: instantOf(row.absolute_expires_at),
});

function callerOf({ request, ip }: Pick<RouteContext<unknown>, 'request' | 'ip'>, cookies: AccountCookies): Caller {
  return { ip, userAgent: request.headers['user-agent'], presentedToken: cookies.sessionToken(request) };
}

function handOut(deps: AccountsRoutesDeps, signIn: NewSignIn, reply: FastifyReply): SignedIn {
  deps.cookies.setSession(reply, signIn.token, { remember: !isShared(signIn.session) });
  deps.cookies.rememberDevice(reply, signIn.passwordHash);
  if (signIn.ended) deps.onSessionEnded(signIn.ended.id, signIn.ended.user_id);
  return { user: presentUser(signIn.user), session: presentSession(signIn.session) };
}

function logOutRoute(deps: AccountsRoutesDeps): Route {
  return route(logOut, async ({ request, reply, ip }) => {
    const ended = await endSession(deps.database.queries, deps.cookies.sessionToken(request));
    deps.cookies.clearSession(reply);
    if (!ended) return { status: 204 };
    await recordEvent(deps.database.queries, deps.clock, { action: 'session.ended', actorId: ended.user_id, subject: ended.id, ip, detail: { reason: 'sign-out' } });
    deps.onSessionEnded(ended.id, ended.user_id);
    // Never "storage": takes that are not on the server yet live there.
    return { status: 204, headers: isShared(ended) ? { 'Clear-Site-Data': '"cache"' } : {} };
  });
}

function getSessionRoute(deps: AccountsRoutesDeps): Route {
  return route(getSession, async ({ request }) => {
    const { queries } = deps.database;
    const token = deps.cookies.sessionToken(request);
    const found = token === null ? null : await findSession(queries, token, deps.clock.nowMs());
    const session = found && (await touchSession(queries, found.session, deps.clock.nowMs()));
    const signUpNow = found === null && (await hasNoUser(queries)) ? 'open' : deps.signUp;
    return { body: { user: found && presentUser(found.user), session: session && presentSession(session), signUp: signUpNow } };
  });
}

function changeProfileRoute(deps: AccountsRoutesDeps): Route {
  return route(changeProfile, async (context) => {
    const { userId } = sessionOf(context);
    const { displayName, locale } = context.body;
    const change = { ...(displayName === undefined ? {} : { display_name: displayName }), ...(locale === undefined ? {} : { locale }) };
    const user = await deps.database.transaction(async (transaction) => {
      await recordEvent(transaction, deps.clock, { action: 'profile.changed', actorId: userId, subject: userId, ip: context.ip, detail: { fields: Object.keys(change).join(' ') } });
      return updateUser(transaction, userId, change);
    });
    if (!user) throw new ProblemError('session-expired');
    deps.onProfileChanged(userId);
    return { body: presentUser(user) };
  });
}

/** Signing up, in and out, who is signed in, and one's own profile. */
export function accountsRoutes(deps: AccountsRoutesDeps): Route[] {
  const { cookies } = deps;
  return [
    route(signUpEndpoint, async ({ body, request, reply, ip }) => {
      const signIn = await signUp(deps, body, callerOf({ request, ip }, cookies));
      return { status: 201, body: handOut(deps, signIn, reply) };
    }),
    route(logInEndpoint, async ({ body, request, reply, ip }) => {
      const knownDevice = (passwordHash: string | null) => cookies.knownDevice(request, passwordHash);
      const signIn = await logIn(deps, body, { ...callerOf({ request, ip }, cookies), knownDevice });
      return { status: 200, body: handOut(deps, signIn, reply) };
    }),
    logOutRoute(deps),
    getSessionRoute(deps),
    changeProfileRoute(deps),
  ];
}
