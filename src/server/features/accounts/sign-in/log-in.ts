import type { ParsedBodyOf } from '#contract/endpoint.ts';
import type { logIn as logInEndpoint, SecondFactorWanted } from '#contract/accounts-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { AccountsContext, Caller, NewSignIn } from '#server/features/accounts/accounts-context.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { passwordHashOf, replaceHash } from '#server/features/accounts/passwords/password-store.ts';
import type { AccountsRoutesDeps } from '#server/features/accounts/present.ts';
import {
  findByEmail,
  type UserWithPassword,
} from '#server/features/accounts/passwords/find-with-password.ts';
import { emailKeyOf } from '#server/features/accounts/users-store.ts';
import { completeSignIn } from './complete-sign-in.ts';

/**
 * RFC 9110 §11.6.1 wants a challenge on every 401; browsers know no such scheme and raise no prompt of
 * theirs.
 */
const sessionChallenge = { 'WWW-Authenticate': 'Session realm="earshot"' };

/**
 * Reads, from the cookie a request brought, which device of the account it comes from; null for one that is
 * not known.
 */
export type KnownDevice = (passwordHash: string | null) => string | null;

type RejectionCode = 'invalid-credentials' | 'account-disabled' | 'mfa-invalid' | 'passkey-invalid';

/** Writes a refused proof down and throws it. */
export async function rejectSignIn(
  context: AccountsContext,
  rejection: { code: RejectionCode; userId: string | null; ip: string },
): Promise<never> {
  await recordEvent(context.database.queries, context.clock, {
    action: 'session.refused',
    actorId: null,
    subject: rejection.userId,
    ip: rejection.ip,
    detail: { reason: rejection.code },
  });
  throw new ProblemError(
    rejection.code,
    rejection.code === 'account-disabled' ? {} : { headers: sessionChallenge },
  );
}

/**
 * Makes a hash again while the password is at hand, when it was made with older parameters. Answers with the
 * one stored then.
 */
async function refreshedHash(
  context: AccountsContext,
  found: UserWithPassword,
  password: string,
): Promise<string> {
  if (!context.passwords.isOutdated(found.passwordHash)) return found.passwordHash;
  const newHash = await context.passwords.hash(password);
  const { queries } = context.database;
  if (
    await replaceHash(
      queries,
      { userId: found.user.id, oldHash: found.passwordHash, newHash },
      context.clock.nowMs(),
    )
  )
    return newHash;
  // Another sign-in has made it again meanwhile, or the password was changed.
  const stored = await passwordHashOf(queries, found.user.id);
  return stored !== null && (await context.passwords.verify(stored, password)) ? stored : found.passwordHash;
}

/**
 * Holds a password against an account, counting every failure by network, account and device before anything
 * is hashed. Throws invalid-credentials (401), password-locked (403) or rate-limited (429).
 */
export async function checkPassword(
  deps: AccountsRoutesDeps,
  found: UserWithPassword | null,
  given: { password: string; emailKey: string; ip: string; knownDevice: KnownDevice },
): Promise<UserWithPassword> {
  const attempt = {
    ip: given.ip,
    emailKey: given.emailKey,
    device: given.knownDevice(found?.passwordHash ?? null),
  };
  await deps.throttle.takeLogin(attempt);
  await deps.ceiling.take(attempt);
  const fits = await deps.passwords.verify(found?.passwordHash ?? null, given.password);
  if (found === null || !fits)
    return rejectSignIn(deps, { code: 'invalid-credentials', userId: found?.user.id ?? null, ip: given.ip });
  await deps.throttle.succeeded(attempt);
  await deps.ceiling.clear(deps.database.queries, given.emailKey);
  return found;
}

/**
 * Signs in by e-mail and password. A wrong password and an unknown e-mail answer alike and take alike long.
 * Throws invalid-credentials (401), account-disabled (403, only after the right password), password-locked
 * (403) or rate-limited (429).
 */
export async function logIn(
  deps: AccountsRoutesDeps,
  body: ParsedBodyOf<typeof logInEndpoint>,
  caller: Caller & { knownDevice: KnownDevice; nameBrowser: () => string },
): Promise<NewSignIn | SecondFactorWanted> {
  const { knownDevice, nameBrowser, ip } = caller;
  const found = await checkPassword(deps, await findByEmail(deps.database.queries, body.email), {
    password: body.password,
    emailKey: emailKeyOf(body.email),
    ip,
    knownDevice,
  });
  if (found.user.disabled_at !== null)
    return rejectSignIn(deps, { code: 'account-disabled', userId: found.user.id, ip });
  const hash = await refreshedHash(deps, found, body.password);
  const completed = await completeSignIn(deps, {
    user: found.user,
    method: 'password',
    remember: body.remember,
    caller,
    nameBrowser,
    provenBy: { kind: 'password', hash },
  });
  return completed ?? rejectSignIn(deps, { code: 'invalid-credentials', userId: found.user.id, ip });
}
