import type { Clock } from '#base/clock.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { AccountMail } from '#server/features/accounts/account-mail.ts';
import type { AuthFlows } from '#server/features/accounts/challenges/auth-flows.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { AccountCookies } from '#server/features/accounts/cookies.ts';
import type { PasskeyCeremony } from '#server/features/accounts/credentials/passkey-ceremony.ts';
import type { Passwords } from '#server/features/accounts/credentials/passwords.ts';
import type { FailureCeiling } from '#server/features/accounts/throttle/failure-ceiling.ts';
import type { LoginThrottle } from '#server/features/accounts/throttle/login-throttle.ts';

/** What decides whether a sign-up may make an account. */
export interface SignUpPolicy {
  signUp: 'open' | 'closed';
  /** What the first account has to bring; null where only this machine can reach the installation. */
  setUpCode: string | null;
}

/** The dependencies of every sign-in once the first factor was right. */
export interface CompleteSignInDeps {
  database: Database;
  clock: Clock;
  flows: AuthFlows;
  throttle: LoginThrottle;
  ceiling: FailureCeiling;
  ceremony: PasskeyCeremony;
}

/** The dependencies of signing up, in and out; each file picks those that it uses. */
export interface SignInDeps extends CompleteSignInDeps, SignUpPolicy {
  cookies: AccountCookies;
  queue: JobQueue;
  mail: AccountMail;
  /** Whether this server sends mail: addresses are then proven before they count. */
  hasMail: boolean;
  passwords: Passwords;
  secrets: SecretBox;
  onSessionEnded: (sessionId: string, userId: string) => void;
}
