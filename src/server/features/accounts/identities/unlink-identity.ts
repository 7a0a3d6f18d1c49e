import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { IdentityRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { changeAccount, type Actor } from '#server/features/accounts/sessions/change-account.ts';
import { announceEnded, endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { countUsableCredentials } from '#server/features/accounts/credentials/usable-credentials.ts';
import { deleteIdentity, listIdentities } from '#server/features/accounts/credentials/identities-store.ts';
import { notifyOfChange } from '#server/features/accounts/account-mail.ts';
import type { NewSignIn } from '#server/features/accounts/sessions/issue-session.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

export interface Unlinking extends Actor {
  provider: string;
  accountId: string | undefined;
  isOffered: boolean;
}

/**
 * Selects the identity: the given one, or the provider's only one.
 * @throws provider-invalid (400), link-not-found (404) or validation (422)
 */
function chosen(identities: IdentityRow[], { provider, accountId, isOffered }: Unlinking): IdentityRow {
  const [only, ...others] = identities.filter(
    (identity) => identity.provider === provider && (accountId === undefined || identity.id === accountId),
  );
  if (!only) throw new ProblemError(isOffered ? 'link-not-found' : 'provider-invalid');
  if (others.length > 0) throw rejectField('/accountId', 'required');
  return only;
}

/**
 * Unlinks a provider account while holding the lock on the user, so that two concurrent removals can't each rely
 * on the other identity. Ends the other sessions that this provider signed in.
 * @throws last-credential (409) if no way to sign in would be left
 */
export async function unlinkIdentity(deps: IdentitiesDeps, given: Unlinking): Promise<NewSignIn> {
  const {
    principal: { userId, sessionId },
    ip,
  } = given;
  const { signIn, result: ended } = await changeAccount(deps, given, async (transaction) => {
    const identity = chosen(await listIdentities(transaction, userId), given);
    await deleteIdentity(transaction, identity.id);
    // Thrown inside the transaction, which rolls the removal back.
    if ((await countUsableCredentials(transaction, userId, deps.isUsableIdentity)) === 0)
      throw new ProblemError('last-credential');
    await recordEvent(transaction, deps.clock, {
      action: 'identity.unlinked',
      actorId: userId,
      subject: userId,
      ip,
      detail: { provider: identity.provider },
    });
    await notifyOfChange(deps, transaction, { userId, change: 'identity-unlinked' });
    await deps.flows.dropOf(transaction, userId, 'second-factor');
    return endSessionsOf(deps, transaction, { userId, exceptId: sessionId, method: identity.provider });
  });
  deps.queue.wake();
  announceEnded(deps, ended);
  return signIn;
}
