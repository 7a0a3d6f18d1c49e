import {
  changeProfile,
  getSession,
  logIn as logInEndpoint,
  logInMfa,
  logOut,
  resendSignUpCode,
  signUp as signUpEndpoint,
  verifySignUp as verifySignUpEndpoint,
} from '#contract/accounts-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { noticesFor } from './administration/account-history.ts';
import { recordEvent } from './audit-log.ts';
import { callerOf, handOut, presentSession, presentUser, type AccountsRoutesDeps } from './present.ts';
import { endSession, findSession, isShared, touchSession } from './sessions/sessions-store.ts';
import { logIn } from './sign-in/log-in.ts';
import { giveSecondFactor } from './sign-in/second-factor.ts';
import { methodsOf } from './sign-in/sign-in-methods.ts';
import { resendCode, signUp, verifySignUp } from './sign-in/sign-up.ts';
import { hasNoUser, updateUser } from './users-store.ts';

function logOutRoute(deps: AccountsRoutesDeps): Route {
  return route(logOut, async ({ request, reply, ip }) => {
    const ended = await endSession(deps.database.queries, deps.cookies.sessionToken(request));
    deps.cookies.clearSession(reply);
    if (!ended) return { status: 204 };
    await recordEvent(deps.database.queries, deps.clock, {
      action: 'session.ended',
      actorId: ended.user_id,
      subject: ended.id,
      ip,
      detail: { reason: 'sign-out' },
    });
    deps.onSessionEnded(ended.id, ended.user_id);
    // Never "storage": takes that are not on the server yet live there.
    return { status: 204, headers: isShared(ended) ? { 'Clear-Site-Data': '"cache"' } : {} };
  });
}

function getSessionRoute(deps: AccountsRoutesDeps): Route {
  return route(getSession, async ({ request }) => {
    const { queries } = deps.database;
    const { hasMail } = deps;
    const token = deps.cookies.sessionToken(request);
    const found = token === null ? null : await findSession(queries, token, deps.clock.nowMs());
    if (!found) {
      const isEmpty = await hasNoUser(queries);
      return {
        body: {
          user: null,
          session: null,
          signUp: isEmpty ? 'open' : deps.signUp,
          hasMail,
          needsSetUpCode: isEmpty && deps.setUpCode !== null,
          methods: null,
          notices: [],
        },
      };
    }
    const session = await touchSession(queries, found.session, deps.clock.nowMs());
    const [methods, notices] = [
      await methodsOf(deps, found.user),
      await noticesFor(queries, { ...found, nowMs: deps.clock.nowMs() }),
    ];
    return {
      body: {
        user: presentUser(found.user),
        session: presentSession(session),
        signUp: deps.signUp,
        hasMail,
        needsSetUpCode: false,
        methods,
        notices,
      },
    };
  });
}

function changeProfileRoute(deps: AccountsRoutesDeps): Route {
  return route(changeProfile, async (context) => {
    const { userId } = sessionOf(context);
    const { displayName, locale } = context.body;
    const change = {
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(locale === undefined ? {} : { locale }),
    };
    const user = await deps.database.transaction(async (transaction) => {
      await recordEvent(transaction, deps.clock, {
        action: 'profile.changed',
        actorId: userId,
        subject: userId,
        ip: context.ip,
        detail: { fields: Object.keys(change).join(' ') },
      });
      return updateUser(transaction, userId, change);
    });
    if (!user) throw new ProblemError('session-expired');
    deps.onProfileChanged(userId);
    return { body: presentUser(user) };
  });
}

function signUpRoutes(deps: AccountsRoutesDeps): Route[] {
  const { cookies } = deps;
  return [
    route(signUpEndpoint, async ({ body, request, reply, ip }) => {
      const opened = await signUp(deps, body, {
        ...callerOf({ request, ip }, cookies),
        nameBrowser: () => cookies.nameFlowBrowser(request, reply),
      });
      if (!('next' in opened)) return { status: 201, body: handOut(deps, opened, reply) };
      return { status: 202, body: opened };
    }),
    route(verifySignUpEndpoint, async ({ body, request, reply, ip }) => {
      const signIn = await verifySignUp(deps, body, {
        ...callerOf({ request, ip }, cookies),
        browser: cookies.flowBrowser(request),
      });
      return { status: 201, body: handOut(deps, signIn, reply) };
    }),
    route(resendSignUpCode, async ({ body, request, ip }) => ({
      status: 202,
      body: await resendCode(deps, body, { ip, browser: cookies.flowBrowser(request) }),
    })),
  ];
}

/** Signing up, in and out, who is signed in, and one's own profile. */
export function accountsRoutes(deps: AccountsRoutesDeps): Route[] {
  const { cookies } = deps;
  return [
    ...signUpRoutes(deps),
    route(logInEndpoint, async ({ body, request, reply, ip }) => {
      const knownDevice = (passwordHash: string | null) => cookies.knownDevice(request, passwordHash);
      const signIn = await logIn(deps, body, {
        ...callerOf({ request, ip }, cookies),
        knownDevice,
        nameBrowser: () => cookies.nameFlowBrowser(request, reply),
      });
      return { status: 200, body: 'next' in signIn ? signIn : handOut(deps, signIn, reply) };
    }),
    route(logInMfa, async ({ body, request, reply, ip }) => {
      const signIn = await giveSecondFactor(deps, body, {
        ...callerOf({ request, ip }, cookies),
        browser: cookies.flowBrowser(request),
      });
      return { status: 200, body: handOut(deps, signIn, reply) };
    }),
    logOutRoute(deps),
    getSessionRoute(deps),
    changeProfileRoute(deps),
  ];
}
