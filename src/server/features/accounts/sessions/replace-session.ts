import type { Transaction } from 'kysely';
import type { Schema } from '#server/storage/database/schema.ts';
import { ProblemError } from '#server/http/problem.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { deviceLabel } from './device-label.ts';
import { endSession } from './sessions-of-user.ts';
import { startSession, renewSession, type SessionProof } from './sessions-store.ts';
import type { Caller, NewSignIn } from './issue-session.ts';
import type { SessionsDeps } from './sessions-deps.ts';

export interface SignIn {
  userId: string;
  remember: boolean;
  caller: Caller;
  proof: SessionProof;
}

/**
 * An account may be disabled during a sign-in. Call this in the transaction that starts the session, after
 * `database.lockUser`.
 */
async function rejectDisabled(transaction: Transaction<Schema>, userId: string): Promise<void> {
  const user = await transaction
    .selectFrom('users')
    .select('disabled_at')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (user?.disabled_at !== null) throw new ProblemError('account-disabled');
}

/**
 * Ends the browser's previous session and starts a new one, so that a token planted before the sign-in is
 * worthless afterwards.
 * @throws account-disabled (403)
 */
export async function replaceSession(
  context: Pick<SessionsDeps, 'clock' | 'takes'>,
  transaction: Transaction<Schema>,
  signIn: SignIn,
): Promise<Pick<NewSignIn, 'session' | 'token' | 'ended'>> {
  const { userId, remember, caller, proof } = signIn;
  await rejectDisabled(transaction, userId);
  const ended = await endSession(context, transaction, caller.presentedToken);
  const started = await startSession(
    transaction,
    { userId, remember, proof, label: deviceLabel(caller.userAgent), ip: caller.ip },
    context,
  );
  await recordEvent(transaction, context.clock, {
    action: 'session.created',
    actorId: userId,
    subject: started.session.id,
    ip: caller.ip,
    detail: { method: proof.method, remember },
  });
  return { ...started, ended };
}

/**
 * Rotates the session's token in the transaction of the proof or change that requires it, and ends the upload
 * capabilities that were requested with the old one. The session keeps its public id. Call `takes.ended` after the
 * commit.
 * @throws session-expired (401) if the session has ended in the meantime
 */
export async function rotateSession(
  context: Pick<SessionsDeps, 'clock' | 'takes'>,
  transaction: Transaction<Schema>,
  given: { tokenHash: string; proof: SessionProof | null; ip: string },
): Promise<Pick<NewSignIn, 'session' | 'token'>> {
  const renewed = await renewSession(transaction, given, context);
  if (!renewed) throw new ProblemError('session-expired');
  const { id, user_id: userId } = renewed.session;
  // Anyone who copied the old token may have requested one. A page that still records requests another with the new one.
  await context.takes.end(transaction, { userId, sessionIds: [id], finishTakesOf: [] });
  if (given.proof) {
    await recordEvent(transaction, context.clock, {
      action: 'session.proven',
      actorId: userId,
      subject: id,
      ip: given.ip,
      detail: { method: given.proof.method },
    });
  }
  return renewed;
}
