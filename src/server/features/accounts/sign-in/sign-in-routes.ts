import {
  logIn as logInEndpoint,
  logInMfa,
  logOut,
  resendSignUpCode,
  signUp as signUpEndpoint,
  verifySignUp as verifySignUpEndpoint,
} from '#contract/accounts-api.ts';
import { route, type Route } from '#server/http/route.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { callerOf, issueSession } from '#server/features/accounts/sessions/issue-session.ts';
import { announceEnded, endSession } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { isShared } from '#server/features/accounts/sessions/sessions-store.ts';
import { logIn } from './log-in.ts';
import { passkeySignInRoutes } from './passkey-sign-in.ts';
import { reauthenticateRoutes } from './reauthenticate.ts';
import { giveSecondFactor } from './second-factor.ts';
import type { SignInDeps } from './sign-in-deps.ts';
import { resendCode, signUp, verifySignUp } from './sign-up.ts';

function logOutRoute(deps: SignInDeps): Route {
  return route(logOut, async ({ request, reply, ip }) => {
    const token = deps.cookies.sessionToken(request);
    const ended = await deps.database.transaction(async (transaction) => {
      const session = await endSession(deps, transaction, token);
      if (session)
        await recordEvent(transaction, deps.clock, {
          action: 'session.ended',
          actorId: session.user_id,
          subject: session.id,
          ip,
          detail: { reason: 'sign-out' },
        });
      return session;
    });
    deps.cookies.clearSession(reply);
    if (!ended) return { status: 204 };
    announceEnded(deps, [ended]);
    // Never send "storage": it would delete takes that have not been uploaded yet.
    return { status: 204, headers: isShared(ended) ? { 'Clear-Site-Data': '"cache"' } : {} };
  });
}

function signUpRoutes(deps: SignInDeps): Route[] {
  const { cookies } = deps;
  return [
    route(signUpEndpoint, async ({ body, request, reply, ip }) => {
      const opened = await signUp(deps, body, {
        ...callerOf({ request, ip }, cookies),
        nameBrowser: () => cookies.nameFlowBrowser(request, reply),
      });
      if (!('next' in opened)) return { status: 201, body: issueSession(deps, opened, reply) };
      return { status: 202, body: opened };
    }),
    route(verifySignUpEndpoint, async ({ body, request, reply, ip }) => {
      const signIn = await verifySignUp(deps, body, {
        ...callerOf({ request, ip }, cookies),
        browser: cookies.flowBrowser(request),
      });
      return { status: 201, body: issueSession(deps, signIn, reply) };
    }),
    route(resendSignUpCode, async ({ body, request, ip }) => ({
      status: 202,
      body: await resendCode(deps, body, { ip, browser: cookies.flowBrowser(request) }),
    })),
  ];
}

/** Routes for signing up, in and out, and for proving who the signed-in user is. */
export function signInRoutes(deps: SignInDeps): Route[] {
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
      return { status: 200, body: 'next' in signIn ? signIn : issueSession(deps, signIn, reply) };
    }),
    route(logInMfa, async ({ body, request, reply, ip }) => {
      const signIn = await giveSecondFactor(deps, body, {
        ...callerOf({ request, ip }, cookies),
        browser: cookies.flowBrowser(request),
      });
      return { status: 200, body: issueSession(deps, signIn, reply) };
    }),
    logOutRoute(deps),
    ...passkeySignInRoutes(deps),
    ...reauthenticateRoutes(deps),
  ];
}
