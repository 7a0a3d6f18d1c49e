import type { Clock } from '#base/clock.ts';
import type { Feature } from '#server/features/feature.ts';
import type { Identify } from '#server/http/principal.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { Database } from '#server/storage/database/database.ts';
import { AccountCookies } from './cookies.ts';
import { createAccountMail } from './account-mail.ts';
import { AuthFlows } from './challenges/auth-flows.ts';
import { LinkTokens } from './challenges/link-tokens.ts';
import { accountSchedules, sweepAccountsJob } from './deletion/sweep-jobs.ts';
import { Limiters } from './throttle/limiter.ts';
import { PasskeyCeremony } from './credentials/passkey-ceremony.ts';
import { Passwords, type HashCost } from './credentials/passwords.ts';
import { forgotPasswordJob, resetPasswordRoutes } from './credentials/reset-password.ts';
import {
  createProviderCalls,
  type ProviderCalls,
  type ProviderOptions,
} from './identities/create-provider-calls.ts';
import { createSecretBox, type SecretBox } from './challenges/secret-box.ts';
import { findSession, touchSession } from './sessions/sessions-store.ts';
import { FailureCeiling } from './throttle/failure-ceiling.ts';
import { LoginThrottle, type ThrottleLimits } from './throttle/login-throttle.ts';
import type { SessionTakes } from './sessions/sessions-deps.ts';
import { profileRoutes } from './profile-routes.ts';
import { standingRoute } from './standing-route.ts';
import { accountHistoryRoutes } from './administration/account-history.ts';
import { peopleRoutes } from './administration/people-routes.ts';
import { emailRoutes } from './credentials/change-email.ts';
import { changePasswordRoute } from './credentials/change-password.ts';
import { passkeyRoutes } from './credentials/passkey-routes.ts';
import { totpRoutes } from './credentials/totp-routes.ts';
import type { AccountRecordings, AccountShares } from './deletion/delete-account.ts';
import { deletionRoutes } from './deletion/deletion-routes.ts';
import { deviceRoutes } from './sessions/device-routes.ts';
import { sessionPrincipalOf } from './sessions/session-principal.ts';
import type { SignUpQuota } from '#server/features/usage/sign-up-quota.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';

export interface AccountsDeps extends ProviderOptions {
  database: Database;
  clock: Clock;
  queue: JobQueue;
  /** The public URL; https makes the cookies Secure. */
  publicUrl: string;
  signUp: 'open' | 'closed';
  signUpQuota: SignUpQuota;
  /** The set-up code that the first account must provide; null if only this machine can reach the server. */
  setUpCode: string | null;
  /** At least 32 random bytes that must survive restarts: data encrypted with them can't be read with another key. */
  secretKey: Uint8Array;
  /** Sends email. Without a mailer, addresses are only sign-in names and nothing is sent. */
  mailer?: Mailer | null;
  /** Overrides the default limits, for tests that sign up dozens of users. */
  throttleLimits?: Partial<ThrottleLimits>;
  /** Overrides the default hash cost, for tests that sign in hundreds of times. */
  hashCost?: HashCost;
  /** Handles the recordings of a deleted account. Absent: no recordings. */
  recordings?: AccountRecordings;
  /** Revokes the links of a deleted account. Absent: no links. */
  shares?: AccountShares;
  /** The uploads of sessions. Absent: none. */
  takes?: SessionTakes;
  /** Called for every session that ended, so that its open connections can be closed. */
  onSessionEnded?: (sessionId: string, userId: string) => void;
  onProfileChanged?: (userId: string) => void;
}

/** The interface of the accounts feature for the rest of the server. */
export interface Accounts extends Feature {
  identifySession: Identify['session'];
  /** Hashes passwords in the one queue of this server. */
  passwords: Passwords;
  /** Encrypts what must be read again. */
  secrets: SecretBox;
}

const noRecordings: AccountRecordings = {
  countOf: () => Promise.resolve({ recordings: 0, unfinished: 0, durationMs: 0 }),
  trashAllOf: () => Promise.resolve(),
};

const noShares: AccountShares = { removeUser: () => Promise.resolve() };

const noTakes: SessionTakes = {
  running: () => Promise.resolve([]),
  end: () => Promise.resolve(),
  ended: () => undefined,
};

/** Creates each dependency once. Each module's routes take the ones that their own type names. */
function assemble(
  deps: AccountsDeps,
  {
    providers: { isUsableIdentity },
    secrets,
    limiters,
  }: { providers: ProviderCalls; secrets: SecretBox; limiters: Limiters },
) {
  const { database, clock, queue, publicUrl, mailer = null } = deps;
  return {
    database,
    clock,
    queue,
    publicUrl,
    secrets,
    signUp: deps.signUp,
    signUpQuota: deps.signUpQuota,
    setUpCode: deps.setUpCode,
    hasMail: mailer !== null,
    cookies: new AccountCookies(publicUrl),
    passwords: new Passwords(deps.hashCost),
    throttle: new LoginThrottle({
      clock,
      limits: deps.throttleLimits,
      isClientNetwork: deps.isClientNetwork,
      limiters,
    }),
    ceiling: new FailureCeiling({ database, clock, secrets }),
    flows: new AuthFlows({ clock, secrets }),
    links: new LinkTokens({ clock, secrets }),
    ceremony: new PasskeyCeremony(publicUrl),
    mail: createAccountMail({ mailer, publicUrl, queue, secrets }),
    isUsableIdentity,
    recordings: deps.recordings ?? noRecordings,
    shares: deps.shares ?? noShares,
    takes: deps.takes ?? noTakes,
    onSessionEnded: deps.onSessionEnded ?? (() => undefined),
    onProfileChanged: deps.onProfileChanged ?? (() => undefined),
  };
}

/** Builds the accounts feature: its routes, its jobs, and the lookup of a session by its cookie. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { database, clock } = deps;
  const secrets = createSecretBox(deps.secretKey);
  const limiters = new Limiters({ database, secrets });
  const providers = createProviderCalls({ ...deps, limiters });
  const parts = assemble(deps, { providers, secrets, limiters });
  return {
    routes: [
      ...profileRoutes(parts),
      standingRoute(parts),
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
    passwords: parts.passwords,
    secrets: parts.secrets,
    async identifySession({ cookieToken }) {
      if (cookieToken === null) return null;
      const found = await findSession(database.queries, cookieToken, clock.nowMs());
      if (!found) return 'expired';
      await touchSession(database.queries, found.session, clock.nowMs());
      return sessionPrincipalOf(found);
    },
  };
}
