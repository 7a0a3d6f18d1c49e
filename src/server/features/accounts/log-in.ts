import type { ParsedBodyOf } from '#contract/endpoint.ts';
import type { logIn as logInEndpoint } from '#contract/accounts-api.ts';
import { ProblemError } from '../../http/problem.ts';
import type { AccountsContext, Caller, NewSignIn } from './accounts-context.ts';
import { recordEvent } from './audit-log.ts';
import { replaceSession } from './replace-session.ts';
import { emailKeyOf, findByEmail, replaceHash, type UserWithPassword } from './users-store.ts';

/** Reads, from the cookie a request brought, which device of the account it comes from; null for one that is not known. */
export type KnownDevice = (passwordHash: string | null) => string | null;

async function refuse(context: AccountsContext, found: UserWithPassword | null, refusal: { code: 'invalid-credentials' | 'account-disabled'; ip: string }): Promise<never> {
  await recordEvent(context.database.queries, context.clock, {
    action: 'session.refused', actorId: null, subject: found?.user.id ?? null, ip: refusal.ip, detail: { reason: refusal.code },
  });
  const challenge = refusal.code === 'invalid-credentials' ? { headers: { 'WWW-Authenticate': 'Session realm="earshot"' } } : {};
  throw new ProblemError(refusal.code, challenge);
}

/** Makes a hash anew while the password is at hand, when it was made with older parameters. Answers with the one stored then. */
async function refreshedHash(context: AccountsContext, found: UserWithPassword, password: string): Promise<string> {
  if (!context.passwords.isOutdated(found.passwordHash)) return found.passwordHash;
  const newHash = await context.passwords.hash(password);
  await replaceHash(context.database.queries, { userId: found.user.id, oldHash: found.passwordHash, newHash }, context.clock.nowMs());
  return newHash;
}

/**
 * Signs in by e-mail and password. A wrong password and an unknown e-mail answer alike and take alike long.
 * Throws invalid-credentials (401), account-disabled (403, only after the right password) or rate-limited (429).
 */
export async function logIn(context: AccountsContext, body: ParsedBodyOf<typeof logInEndpoint>, caller: Caller & { knownDevice: KnownDevice }): Promise<NewSignIn> {
  const { database, throttle, passwords } = context;
  const found = await findByEmail(database.queries, body.email);
  const attempt = { ip: caller.ip, emailKey: emailKeyOf(body.email), device: caller.knownDevice(found?.passwordHash ?? null) };
  await throttle.takeLogin(attempt);
  const fits = await passwords.verify(found?.passwordHash ?? null, body.password);
  if (found === null || !fits) return refuse(context, found, { code: 'invalid-credentials', ip: caller.ip });
  await throttle.succeeded(attempt);
  if (found.user.disabled_at !== null) return refuse(context, found, { code: 'account-disabled', ip: caller.ip });
  const passwordHash = await refreshedHash(context, found, body.password);
  const signIn = await database.transaction((transaction) => replaceSession(context, transaction, { userId: found.user.id, remember: body.remember, caller }));
  return { ...signIn, user: found.user, passwordHash };
}
