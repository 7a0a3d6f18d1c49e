import type { Clock } from '#base/clock.ts';
import type { Identify } from '../../http/principal.ts';
import type { Route } from '../../http/route.ts';
import type { Database } from '../../storage/database/database.ts';
import { accountsRoutes } from './accounts-routes.ts';
import { AccountCookies } from './cookies.ts';
import { LoginThrottle, type ThrottleLimits } from './login-throttle.ts';
import { Passwords, type HashCost } from './passwords/passwords.ts';
import { findSession, touchSession } from './sessions-store.ts';

export interface AccountsDeps {
  database: Database;
  clock: Clock;
  /** The address people use; https makes the cookies Secure. */
  publicUrl: string;
  signUp: 'open' | 'closed';
  /** Other limits than the usual ones, for tests that sign up by the dozen. */
  throttleLimits?: Partial<ThrottleLimits>;
  /** Another cost of a hash than the usual one, for tests that sign in by the hundred. */
  hashCost?: HashCost;
  /** Learns of every session that ended, so that what is still open in its name can be closed. */
  onSessionEnded?: (sessionId: string, userId: string) => void;
  onProfileChanged?: (userId: string) => void;
}

/** Accounts with e-mail and password: the routes, and the answer to whose session a cookie is. */
export function createAccounts(deps: AccountsDeps): { routes: Route[]; identifySession: Identify['session'] } {
  const { database, clock } = deps;
  const routes = accountsRoutes({
    database, clock, signUp: deps.signUp, cookies: new AccountCookies(deps.publicUrl), passwords: new Passwords(deps.hashCost),
    throttle: new LoginThrottle({ clock, limits: deps.throttleLimits }),
    onSessionEnded: deps.onSessionEnded ?? (() => undefined), onProfileChanged: deps.onProfileChanged ?? (() => undefined),
  });
  return {
    routes,
    async identifySession({ cookieToken }) {
      if (cookieToken === null) return null;
      const found = await findSession(database.queries, cookieToken, clock.nowMs());
      if (!found) return 'expired';
      await touchSession(database.queries, found.session, clock.nowMs());
      return { kind: 'session', userId: found.user.id, role: found.user.role, sessionId: found.session.id, authTimeMs: found.session.auth_time };
    },
  };
}
