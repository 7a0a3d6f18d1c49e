import { changeProfile, getSession } from '#contract/accounts-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import { noticesFor } from './administration/account-history.ts';
import { recordEvent } from './audit-log.ts';
import { presentSession, presentUser } from './present.ts';
import { findSession, touchSession } from './sessions/sessions-store.ts';
import type { SignInDeps } from './sign-in/sign-in-deps.ts';
import { methodsOf } from './sign-in/sign-in-methods.ts';
import { hasNoUser, updateUser } from './users-store.ts';

type ProfileDeps = Pick<
  SignInDeps,
  'database' | 'clock' | 'cookies' | 'signUp' | 'setUpCode' | 'hasMail' | 'flows'
> & { onProfileChanged: (userId: string) => void };

function getSessionRoute(deps: ProfileDeps): Route {
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

function changeProfileRoute(deps: ProfileDeps): Route {
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

/** Routes for the current session and account, and for the user's own profile. */
export const profileRoutes = (deps: ProfileDeps): Route[] => [
  getSessionRoute(deps),
  changeProfileRoute(deps),
];
