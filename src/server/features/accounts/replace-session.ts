import type { Transaction } from 'kysely';
import type { Schema } from '../../storage/database/schema.ts';
import type { AccountsContext, Caller, NewSignIn } from './accounts-context.ts';
import { recordEvent } from './audit-log.ts';
import { deviceLabel } from './client-traits.ts';
import { beginSession, endSession } from './sessions-store.ts';

export interface SignIn { userId: string; remember: boolean; caller: Caller }

/** Ends the session the browser brought and begins a new one, whoever that was: a token planted before signing in is worth nothing after it. */
export async function replaceSession(context: AccountsContext, transaction: Transaction<Schema>, signIn: SignIn): Promise<Pick<NewSignIn, 'session' | 'token' | 'ended'>> {
  const { userId, remember, caller } = signIn;
  const ended = await endSession(transaction, caller.presentedToken);
  const begun = await beginSession(transaction, { userId, remember, method: 'password', label: deviceLabel(caller.userAgent), ip: caller.ip }, context);
  await recordEvent(transaction, context.clock, {
    action: 'session.created', actorId: userId, subject: begun.session.id, ip: caller.ip, detail: { method: 'password', remember },
  });
  return { ...begun, ended };
}
