import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { UserRow } from '#server/storage/database/schema.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';
import { emailKeyOf, insertUser } from '#server/features/accounts/users-store.ts';
import { nameOfProfile, standInName } from './profile-name.ts';

/** How an account can be signed in to, for its owner who came by another way. */
async function methodsOf(queries: Queries, userId: string): Promise<string[]> {
  const passwords = await queries
    .selectFrom('credentials')
    .select('kind')
    .where('user_id', '=', userId)
    .where('kind', '=', 'password')
    .execute();
  const identities = await queries
    .selectFrom('identities')
    .select('provider')
    .where('user_id', '=', userId)
    .execute();
  const passkeys = await queries
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .execute();
  return [
    ...new Set([
      ...passwords.map(({ kind }) => kind),
      ...passkeys.map(() => 'passkey'),
      ...identities.map(({ provider }) => provider),
    ]),
  ];
}

/**
 * Whether a proven address may be written into a new account. One that is proven of an existing account is
 * refused, account-exists (409): that account has to be signed in to and linked, never taken over. One that
 * an account merely signs in by proves nothing, and matches nothing.
 */
async function freeEmail(queries: Queries, email: string | null): Promise<string | null> {
  if (email === null) return null;
  const holder = await queries
    .selectFrom('users')
    .select(['id', 'email_verified_at'])
    .where('email_key', '=', emailKeyOf(email))
    .executeTakeFirst();
  if (!holder) return email;
  if (holder.email_verified_at === null) return null;
  throw new ProblemError('account-exists', { methods: await methodsOf(queries, holder.id) });
}

/** Makes an account for who came with an identity that nobody has. Throws account-exists (409). */
export async function insertNewUser(
  queries: Queries,
  profile: ProviderProfile,
  given: { role: UserRow['role']; locale: string | null; providerName: string; nowMs: number },
): Promise<UserRow> {
  const { role, locale, providerName, nowMs } = given;
  const email = await freeEmail(queries, profile.provenEmail);
  return insertUser(
    queries,
    {
      displayName: nameOfProfile(profile) ?? standInName(providerName, locale),
      email,
      isEmailProven: email !== null,
      locale,
      role,
      passwordHash: null,
    },
    nowMs,
  );
}
