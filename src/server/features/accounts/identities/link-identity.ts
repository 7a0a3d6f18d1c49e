import { ProblemError } from '#server/http/problem.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { noticeChange } from '#server/features/accounts/notice-change.ts';
import type { AccountsRoutesDeps, AccountsTransaction } from '#server/features/accounts/present.ts';
import type { FlowOutcome } from './flow-outcome.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';
import { changeAccount, type Actor } from '#server/features/accounts/sessions/change-account.ts';
import {
  findIdentity,
  insertIdentity,
  touchIdentity,
} from '#server/features/accounts/credentials/identities-store.ts';
import { retriedOnceTaken } from './retried-once-taken.ts';

/** Whoever began a flow while signed in, and ends it in the same session. */
export interface Starter extends Actor {
  provider: string;
}

async function addIdentity(
  deps: AccountsRoutesDeps,
  transaction: AccountsTransaction,
  given: Starter & { profile: ProviderProfile },
): Promise<boolean> {
  const {
    profile,
    provider,
    ip,
    principal: { userId },
  } = given;
  const nowMs = deps.clock.nowMs();
  const identity = await findIdentity(transaction, profile);
  if (identity && identity.user_id !== userId) throw new ProblemError('identity-linked-elsewhere');
  if (identity) {
    await touchIdentity(transaction, identity.id, { profile, nowMs });
    return false;
  }
  await insertIdentity(transaction, profile, { userId, provider, nowMs });
  await recordEvent(transaction, deps.clock, {
    action: 'identity.linked',
    actorId: userId,
    subject: userId,
    ip,
    detail: { provider },
  });
  await noticeChange(deps, transaction, { userId, change: 'identity-linked' });
  return true;
}

/**
 * Adds a provider's account to the person who is signed in; once more is no change. Neither address nor name
 * is taken over. Throws identity-linked-elsewhere (409): people are never merged.
 */
export async function linkIdentity(
  deps: AccountsRoutesDeps,
  profile: ProviderProfile,
  starter: Starter,
): Promise<FlowOutcome> {
  const { signIn, result: linked } = await retriedOnceTaken(deps.database, () =>
    changeAccount(deps, starter, (transaction) => addIdentity(deps, transaction, { ...starter, profile })),
  );
  deps.queue.wake();
  return { signIn, created: false, linked };
}
