import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { AccountMail } from '#server/features/accounts/account-mail.ts';
import type { AuthFlows } from '#server/features/accounts/challenges/auth-flows.ts';
import type { LinkTokens } from '#server/features/accounts/challenges/link-tokens.ts';
import type { SignUpQuota } from '#server/features/usage/sign-up-quota.ts';
import type { SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';

/** The dependencies of the administrators' routes and the account history. */
export interface AdministrationDeps extends SessionsDeps {
  queue: JobQueue;
  mail: AccountMail;
  flows: AuthFlows;
  links: LinkTokens;
  signUpQuota: SignUpQuota;
  /** The public URL of this server, without a trailing slash. */
  publicUrl: string;
}
