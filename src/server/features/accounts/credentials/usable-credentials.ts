import type { Queries } from '#server/storage/database/database.ts';
import type { IdentityRow } from '#server/storage/database/schema.ts';

/** Whether this server still offers the provider of an identity. */
export type IsUsableIdentity = (identity: Pick<IdentityRow, 'provider' | 'issuer'>) => boolean;

/** A password needs an e-mail to be typed beside it. */
async function countPasswords(queries: Queries, userId: string): Promise<number> {
  const rows = await queries
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.user_id')
    .select('credentials.id')
    .where('credentials.user_id', '=', userId)
    .where('credentials.kind', '=', 'password')
    .where('users.email_key', 'is not', null)
    .execute();
  return rows.length;
}

async function countIdentities(
  queries: Queries,
  userId: string,
  isUsable: IsUsableIdentity,
): Promise<number> {
  const rows = await queries
    .selectFrom('identities')
    .select(['provider', 'issuer'])
    .where('user_id', '=', userId)
    .execute();
  return rows.filter(isUsable).length;
}

async function countPasskeys(queries: Queries, userId: string): Promise<number> {
  return (await queries.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute()).length;
}

/**
 * How many ways to sign in a person has. Second factors do not count: they open nothing by themselves.
 * Ask in the transaction that removes one, after `database.lockUser`, or two removals at once could each
 * leave the other's.
 */
export async function countUsableCredentials(
  queries: Queries,
  userId: string,
  isUsable: IsUsableIdentity,
): Promise<number> {
  return (
    (await countPasswords(queries, userId)) +
    (await countPasskeys(queries, userId)) +
    (await countIdentities(queries, userId, isUsable))
  );
}
