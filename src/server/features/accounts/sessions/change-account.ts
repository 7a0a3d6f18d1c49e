import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { findUser } from '#server/features/accounts/users-store.ts';
import { rotateSession } from './replace-session.ts';
import type { SessionProof } from './sessions-store.ts';
import type { NewSignIn } from './issue-session.ts';
import type { AccountsTransaction, SessionsDeps } from './sessions-deps.ts';

export interface Actor {
  principal: SessionPrincipal;
  ip: string;
}

/**
 * Changes how a user's account is protected, while holding the lock on the account, in one transaction, and
 * rotates the session token (ASVS 7.2.4).
 * @throws session-expired (401) if the session has ended in the meantime, and everything that `work` throws
 */
export async function changeAccount<Result>(
  context: Pick<SessionsDeps, 'database' | 'clock' | 'takes'>,
  actor: Actor & { proof?: SessionProof | null },
  work: (transaction: AccountsTransaction) => Promise<Result>,
): Promise<{ signIn: NewSignIn; result: Result }> {
  const { userId, tokenHash } = actor.principal;
  const changed = await context.database.transaction(async (transaction) => {
    await context.database.lockUser(transaction, userId);
    const result = await work(transaction);
    const renewed = await rotateSession(context, transaction, {
      tokenHash,
      proof: actor.proof ?? null,
      ip: actor.ip,
    });
    const user = await findUser(transaction, userId);
    if (!user) throw new ProblemError('session-expired');
    return { signIn: { ...renewed, user, ended: null, passwordHash: null }, result };
  });
  context.takes.ended();
  return changed;
}
