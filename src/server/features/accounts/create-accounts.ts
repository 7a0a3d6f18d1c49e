import type { Clock } from '#base/clock.ts';
import type { HttpApp } from '#server/http/app.ts';
import type { Identify } from '#server/http/principal.ts';
import type { Route } from '#server/http/route.ts';
import type { JobHandler, JobQueue } from '#server/jobs/job-queue.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { Database } from '#server/storage/database/database.ts';
import { AccountCookies } from './cookies.ts';
import { createAccountMail } from './account-mail.ts';
import { AuthFlows } from './challenges/auth-flows.ts';
import { LinkTokens } from './challenges/link-tokens.ts';
import { accountSchedules, sweepAccountsJob } from './deletion/sweep-jobs.ts';
import { PasskeyCeremony } from './credentials/passkey-ceremony.ts';
import { Passwords, type HashCost } from './credentials/passwords.ts';
import { forgotPasswordJob, resetPasswordRoutes } from './credentials/reset-password.ts';
import {
  createProviderCalls,
  type ProviderCalls,
  type ProviderOptions,
} from './identities/create-provider-calls.ts';
import { createSecretBox } from './challenges/secret-box.ts';
import { findSession, touchSession } from './sessions/sessions-store.ts';
import { FailureCeiling } from './throttle/failure-ceiling.ts';
import { LoginThrottle, type ThrottleLimits } from './throttle/login-throttle.ts';
import type { SessionTakes } from './sessions/sessions-deps.ts';
import { profileRoutes } from './profile-routes.ts';
import { accountHistoryRoutes } from './administration/account-history.ts';
import { peopleRoutes } from './administration/people-routes.ts';
import { emailRoutes } from './credentials/change-email.ts';
import { changePasswordRoute } from './credentials/change-password.ts';
import { passkeyRoutes } from './credentials/passkey-routes.ts';
import { totpRoutes } from './credentials/totp-routes.ts';
import type { AccountRecordings } from './deletion/delete-account.ts';
import { deletionRoutes } from './deletion/deletion-routes.ts';
import { deviceRoutes } from './sessions/device-routes.ts';
import { sessionPrincipalOf } from './sessions/session-principal.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';

export interface AccountsDeps extends ProviderOptions {
  database: Database;
  clock: Clock;
  queue: JobQueue;
  /** The address people use; https makes the cookies Secure. */
  publicUrl: string;
  signUp: 'open' | 'closed';
  /** What the first account has to bring; null where only this machine can reach the installation. */
  setUpCode: string | null;
  /**
   * At least 32 random bytes that stay the same over restarts: what is encrypted under them cannot be read
   * under others.
   */
  secretKey: Uint8Array;
  /** How mail leaves this server; none: addresses are names to sign in with, and nothing is sent. */
  mailer?: Mailer | null;
  /** Other limits than the usual ones, for tests that sign up by the dozen. */
  throttleLimits?: Partial<ThrottleLimits>;
  /** Another cost of a hash than the usual one, for tests that sign in by the hundred. */
  hashCost?: HashCost;
  /** What an account's end means for its recordings; there are none, when absent. */
  recordings?: AccountRecordings;
  /** What sessions may append to; nothing, when absent. */
  takes?: SessionTakes;
  /** Learns of every session that ended, so that what is still open in its name can be closed. */
  onSessionEnded?: (sessionId: string, userId: string) => void;
  onProfileChanged?: (userId: string) => void;
}

/** What the accounts feature offers to the rest of the server. */
export interface Accounts {
  routes: Route[];
  identifySession: Identify['session'];
  jobs: JobHandler[];
  schedules: readonly { kind: string; everyMs: number }[];
  /** The pages that are no part of the contract. */
  mount(app: HttpApp): void;
}

const noRecordings: AccountRecordings = {
  countOf: () => Promise.resolve({ recordings: 0, durationMs: 0 }),
  trashAllOf: () => Promise.resolve(),
};

const noTakes: SessionTakes = {
  running: () => Promise.resolve([]),
  end: () => Promise.resolve(),
  ended: () => undefined,
};

/** Makes each dependency once; every module's routes take the ones that their own type names. */
function assemble(deps: AccountsDeps, { isUsableIdentity }: ProviderCalls) {
  const { database, clock, queue, publicUrl, mailer = null } = deps;
  const secrets = createSecretBox(deps.secretKey);
  return {
    database,
    clock,
    queue,
    publicUrl,
    secrets,
    signUp: deps.signUp,
    setUpCode: deps.setUpCode,
    hasMail: mailer !== null,
    cookies: new AccountCookies(publicUrl),
    passwords: new Passwords(deps.hashCost),
    throttle: new LoginThrottle({
      clock,
      limits: deps.throttleLimits,
      isClientNetwork: deps.isClientNetwork,
    }),
    ceiling: new FailureCeiling({ database, clock, secrets }),
    flows: new AuthFlows({ clock, secrets }),
    links: new LinkTokens({ clock, secrets }),
    ceremony: new PasskeyCeremony(publicUrl),
    mail: createAccountMail({ mailer, publicUrl, queue, secrets }),
    isUsableIdentity,
    recordings: deps.recordings ?? noRecordings,
    takes: deps.takes ?? noTakes,
    onSessionEnded: deps.onSessionEnded ?? (() => undefined),
    onProfileChanged: deps.onProfileChanged ?? (() => undefined),
  };
}

/** Accounts: the routes, the jobs, and the answer to whose session a cookie is. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { database, clock } = deps;
  const providers = createProviderCalls(deps);
  const parts = assemble(deps, providers);
  return {
    routes: [
      ...profileRoutes(parts),
      ...signInRoutes(parts),
      ...deviceRoutes(parts),
      changePasswordRoute(parts),
      ...resetPasswordRoutes(parts),
      ...emailRoutes(parts),
      ...totpRoutes(parts),
      ...passkeyRoutes(parts),
      ...deletionRoutes(parts),
      ...accountHistoryRoutes(parts),
      ...peopleRoutes(parts),
      ...providers.routes(parts),
    ],
    mount: (app) => {
      providers.mount(app);
    },
    jobs: [...parts.mail.jobs, forgotPasswordJob(parts), sweepAccountsJob(parts)],
    schedules: accountSchedules,
    async identifySession({ cookieToken }) {
      if (cookieToken === null) return null;
      const found = await findSession(database.queries, cookieToken, clock.nowMs());
      if (!found) return 'expired';
      await touchSession(database.queries, found.session, clock.nowMs());
      return sessionPrincipalOf(found);
    },
  };
}
