import { ProblemError } from '#server/http/problem.ts';
import type { AccountsContext } from '#server/features/accounts/accounts-context.ts';
import type { FlowOutcome } from './flow-outcome.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';
import { changeAccount } from '#server/features/accounts/sessions/change-account.ts';
import { hasStrongerProof } from '#server/features/accounts/credentials/stronger-proof.ts';
import { hasTotp } from '#server/features/accounts/credentials/totp-store.ts';
import { findIdentity, touchIdentity } from '#server/features/accounts/credentials/identities-store.ts';
import type { Starter } from './link-identity.ts';

/**
 * Takes a fresh sign-in at a linked provider for a proof of who is signed in here.
 * Throws link-not-found (404) for any other account of the provider, second-factor-required (403) where one
 * factor proves nothing, and provider-not-enough (403) where the provider does not say when the person signed
 * in and something better is there.
 */
export async function proveIdentity(
  context: AccountsContext,
  profile: ProviderProfile,
  { provider, principal, ip, isTimed }: Starter & { isTimed: boolean },
): Promise<FlowOutcome> {
  const proof = { method: provider, isSecondFactor: false };
  const { signIn } = await changeAccount(context, { principal, ip, proof }, async (transaction) => {
    const identity = await findIdentity(transaction, profile);
    if (identity?.user_id !== principal.userId) throw new ProblemError('link-not-found');
    if (await hasTotp(transaction, principal.userId)) throw new ProblemError('second-factor-required');
    if (!isTimed && (await hasStrongerProof(transaction, principal.userId)))
      throw new ProblemError('provider-not-enough');
    await touchIdentity(transaction, identity.id, { profile, nowMs: context.clock.nowMs() });
  });
  return { signIn, created: false, linked: false };
}
