import type { ParsedBodyOf } from '#contract/endpoint.ts';
import type { logIn as logInEndpoint, SecondFactorWanted } from '#contract/accounts-api.ts';
import { passwordHashOf, replaceHash } from '#server/features/accounts/password-store.ts';
import { completeSignIn } from './complete-sign-in.ts';
import {
  type CheckPasswordDeps,
  type KnownDevice,
  type UserWithPassword,
  checkPassword,
  findByEmail,
} from '#server/features/accounts/credentials/check-password.ts';
import { rejectSignIn } from '#server/features/accounts/sessions/reject-sign-in.ts';
import type { Caller, NewSignIn } from '#server/features/accounts/sessions/issue-session.ts';
import type { CompleteSignInDeps } from './sign-in-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

type LogInDeps = CompleteSignInDeps & CheckPasswordDeps;

/**
 * Hashes the password again with the current parameters if the stored hash is outdated. Returns the hash that is
 * stored afterwards.
 */
async function refreshedHash(
  context: LogInDeps,
  found: UserWithPassword,
  { password, ip }: { password: string; ip: string },
): Promise<string> {
  const by = { purpose: 'sign-in' as const, client: ip };
  if (!context.passwords.isOutdated(found.passwordHash)) return found.passwordHash;
  const newHash = await context.passwords.hash(password, by);
  const { queries } = context.database;
  if (
    await replaceHash(
      queries,
      { userId: found.user.id, oldHash: found.passwordHash, newHash },
      context.clock.nowMs(),
    )
  )
    return newHash;
  // In the meantime another sign-in has replaced the hash, or the password was changed.
  const stored = await passwordHashOf(queries, found.user.id);
  return stored !== null && (await context.passwords.verify(stored, password, by))
    ? stored
    : found.passwordHash;
}

/**
 * Signs in by email address and password. The response and its timing are the same for a wrong password and an
 * unknown address.
 * @throws invalid-credentials (401), account-disabled (403, only after the right password), password-locked (403)
 * or rate-limited (429)
 */
export async function logIn(
  deps: LogInDeps,
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
  const hash = await refreshedHash(deps, found, { password: body.password, ip });
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
