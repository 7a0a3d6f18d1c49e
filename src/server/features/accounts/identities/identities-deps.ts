import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { AccountMail } from '#server/features/accounts/account-mail.ts';
import type { IsUsableIdentity } from '#server/features/accounts/credentials/usable-credentials.ts';
import type { ProviderRegister } from '#server/features/accounts/providers/create-providers.ts';
import type { SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { CompleteSignInDeps, SignUpPolicy } from '#server/features/accounts/sign-in/sign-in-deps.ts';
import type { FlowThrottle } from '#server/features/accounts/throttle/flow-throttle.ts';

/** The dependencies of provider sign-in and of linking and unlinking identities. */
export interface IdentitiesDeps extends SessionsDeps, CompleteSignInDeps, SignUpPolicy {
  queue: JobQueue;
  mail: AccountMail;
  isUsableIdentity: IsUsableIdentity;
  providers: ProviderRegister;
  flowThrottle: FlowThrottle;
}
