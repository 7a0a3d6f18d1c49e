import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { AccountMail } from '#server/features/accounts/account-mail.ts';
import type { AuthFlows } from '#server/features/accounts/challenges/auth-flows.ts';
import type { LinkTokens } from '#server/features/accounts/challenges/link-tokens.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { FailureCeiling } from '#server/features/accounts/throttle/failure-ceiling.ts';
import type { LoginThrottle } from '#server/features/accounts/throttle/login-throttle.ts';
import type { PasskeyCeremony } from './passkey-ceremony.ts';
import type { Passwords } from './passwords.ts';
import type { IsUsableIdentity } from './usable-credentials.ts';

/** The dependencies of the credentials. Each file picks those it uses. */
export interface CredentialsDeps extends SessionsDeps {
  queue: JobQueue;
  secrets: SecretBox;
  mail: AccountMail;
  /** Whether this server sends mail. If it does, addresses must be verified before they count. */
  hasMail: boolean;
  flows: AuthFlows;
  links: LinkTokens;
  throttle: LoginThrottle;
  ceiling: FailureCeiling;
  passwords: Passwords;
  ceremony: PasskeyCeremony;
  isUsableIdentity: IsUsableIdentity;
}
