import type { Queries } from '#server/storage/database/database.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import { emailKeyOf } from '#server/features/accounts/users-store.ts';
import { hashIn } from './password-store.ts';
import { rejectSignIn } from '#server/features/accounts/sessions/reject-sign-in.ts';
import type { CredentialsDeps } from './credentials-deps.ts';

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
 * Finds who signs in by an e-mail, with the hash of the password; null where there is no such account or it
 * has none.
 */
export async function findByEmail(queries: Queries, email: string): Promise<UserWithPassword | null> {
  return withHash(
    await usersWithPassword(queries).where('users.email_key', '=', emailKeyOf(email)).executeTakeFirst(),
  );
}

/** A user with the hash of their password; null where they have none. */
export async function findWithPassword(queries: Queries, userId: string): Promise<UserWithPassword | null> {
  return withHash(await usersWithPassword(queries).where('users.id', '=', userId).executeTakeFirst());
}

/**
 * Reads, from the cookie a request brought, which device of the account it comes from; null for one that is
 * not known.
 */
export type KnownDevice = (passwordHash: string | null) => string | null;

/**
 * Holds a password against an account, counting every failure by network, account and device before anything
 * is hashed. Throws invalid-credentials (401), password-locked (403) or rate-limited (429).
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
  const fits = await deps.passwords.verify(found?.passwordHash ?? null, given.password);
  if (found === null || !fits)
    return rejectSignIn(deps, { code: 'invalid-credentials', userId: found?.user.id ?? null, ip: given.ip });
  await deps.throttle.succeeded(attempt);
  await deps.ceiling.clear(deps.database.queries, given.emailKey);
  return found;
}
