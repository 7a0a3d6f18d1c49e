import type { ParsedBodyOf } from '#contract/endpoint.ts';
import type { signUp as signUpEndpoint } from '#contract/accounts-api.ts';
import { limits } from '#contract/limits.ts';
import { displayNameSchema } from '#contract/values.ts';
import { ProblemError } from '../../http/problem.ts';
import type { AccountsContext, Caller, NewSignIn } from './accounts-context.ts';
import { recordEvent } from './audit-log.ts';
import { checkNewPassword } from './passwords/password-rules.ts';
import { replaceSession } from './replace-session.ts';
import { claimsFirstAccount, emailKeyOf, hasNoUser, insertUser } from './users-store.ts';

/** What a person is called who gave no name: what stands before the @. */
function nameFrom(email: string): string {
  const local = Array.from(email.split('@')[0] ?? '').slice(0, limits.displayNameLength).join('');
  const parsed = displayNameSchema.safeParse(local);
  return parsed.success ? parsed.data : '–';
}

/**
 * Creates an account and signs it in. The first one of an installation becomes its admin, even where sign-up is closed.
 * Throws sign-up-closed (403), password-… (422), email-taken (409) or rate-limited (429).
 */
export async function signUp(context: AccountsContext, body: ParsedBodyOf<typeof signUpEndpoint>, caller: Caller): Promise<NewSignIn> {
  const { database, clock, throttle, passwords } = context;
  if (context.signUp === 'closed' && !(await hasNoUser(database.queries))) throw new ProblemError('sign-up-closed');
  await throttle.takeSignUpTry(caller.ip);
  checkNewPassword(body.password, body);
  await throttle.takeSignUp({ ip: caller.ip, emailKey: emailKeyOf(body.email) });
  const passwordHash = await passwords.hash(body.password);
  try {
    return await database.transaction(async (transaction) => {
      const isFirst = await claimsFirstAccount(database, transaction);
      if (context.signUp === 'closed' && !isFirst) throw new ProblemError('sign-up-closed');
      const user = await insertUser(transaction, {
        display_name: body.displayName ?? nameFrom(body.email), email: body.email, locale: body.locale ?? null, role: isFirst ? 'admin' : 'member', passwordHash,
      }, clock.nowMs());
      await recordEvent(transaction, clock, { action: 'account.created', actorId: user.id, subject: user.id, ip: caller.ip, detail: { role: user.role } });
      const signIn = await replaceSession(context, transaction, { userId: user.id, remember: true, caller });
      return { ...signIn, user, passwordHash };
    });
  } catch (error) {
    if (database.constraintOf(error) === 'unique') throw new ProblemError('email-taken', { errors: [{ pointer: '/email', code: 'email-taken' }], cause: error });
    throw error;
  }
}
