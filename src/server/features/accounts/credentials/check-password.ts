import type { Queries } from '#server/storage/database/database.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import { hashIn } from '#server/features/accounts/password-store.ts';
import { rejectSignIn } from '#server/features/accounts/sessions/reject-sign-in.ts';
import type { CredentialsDeps } from './credentials-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

export type CheckPasswordDeps = Pick<
  CredentialsDeps,
  'database' | 'clock' | 'throttle' | 'ceiling' | 'passwords'
>;

export interface UserWithPassword {
  user: UserRow;
  passwordHash: string;
}

const usersWithPassword = (queries: Queries) =>
  queries
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.user_id', 'users.id')
    .selectAll('users')
    .select('credentials.data')
    .where('credentials.kind', '=', 'password');

function withHash(row: (UserRow & { data: string }) | undefined): UserWithPassword | null {
  if (!row) return null;
  const { data, ...user } = row;
  return { user, passwordHash: hashIn(data) };
}

/**
 * Finds the user with an email address, and the hash of their password. Returns null if there is no such account
 * or it has no password.
 */
export async function findByEmail(queries: Queries, email: string): Promise<UserWithPassword | null> {
  return withHash(
    await usersWithPassword(queries).where('users.email_key', '=', emailKeyOf(email)).executeTakeFirst(),
  );
}

/** Finds a user with the hash of their password. Returns null if they have no password. */
export async function findWithPassword(queries: Queries, userId: string): Promise<UserWithPassword | null> {
  return withHash(await usersWithPassword(queries).where('users.id', '=', userId).executeTakeFirst());
}

/** Reads from a request's cookie which known device of the account it comes from; null for an unknown device. */
export type KnownDevice = (passwordHash: string | null) => string | null;

/**
 * Verifies a password. Counts each attempt by network, account and device before any hashing.
 * @throws invalid-credentials (401), password-locked (403) or rate-limited (429)
 */
export async function checkPassword(
  deps: CheckPasswordDeps,
  found: UserWithPassword | null,
  given: { password: string; emailKey: string; ip: string; knownDevice: KnownDevice },
): Promise<UserWithPassword> {
  const attempt = {
    ip: given.ip,
    emailKey: given.emailKey,
    device: given.knownDevice(found?.passwordHash ?? null),
  };
  await deps.throttle.consumeLogin(attempt);
  await deps.ceiling.count(attempt);
  const fits = await deps.passwords.verify(found?.passwordHash ?? null, given.password, {
    purpose: 'sign-in',
    client: given.ip,
  });
  if (found === null || !fits)
    return rejectSignIn(deps, { code: 'invalid-credentials', userId: found?.user.id ?? null, ip: given.ip });
  await deps.throttle.succeeded(attempt);
  await deps.ceiling.clear(deps.database.queries, given.emailKey);
  return found;
}
