import type { Queries } from '#server/storage/database/database.ts';
import type { IdentityRow } from '#server/storage/database/schema.ts';
import { findIdentity } from './identities-store.ts';
import { passwordHashOf } from './password-store.ts';

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
 * How many credentials a user can sign in with. Second factors do not count, because they open nothing by
 * themselves. Call it in the transaction that removes one, after `database.lockUser`; otherwise two removals
 * at once could each rely on the other credential.
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

/** Whether a user has a proof other than a provider: a password, a passkey or an authenticator app. */
export async function hasStrongerProof(queries: Queries, userId: string): Promise<boolean> {
  const found = await queries
    .selectNoFrom((eb) => [
      eb
        .selectFrom('credentials')
        .select('id')
        .where('user_id', '=', userId)
        .where('kind', '=', 'password')
        .limit(1)
        .as('password'),
      eb.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1).as('passkey'),
      eb.selectFrom('totp').select('user_id').where('user_id', '=', userId).limit(1).as('totp'),
    ])
    .executeTakeFirstOrThrow();
  return found.password !== null || found.passkey !== null || found.totp !== null;
}

/** The credential that a user signed in with. */
export type ProvenBy =
  | { kind: 'password'; hash: string }
  | { kind: 'identity'; issuer: string; subject: string }
  | { kind: 'passkey'; credentialId: string };

/**
 * Whether a verified credential still opens the account. It may have been changed or removed since, together
 * with every session. Call it in the transaction that starts the session, after `database.lockUser`.
 */
export async function isCredentialValid(
  queries: Queries,
  userId: string,
  provenBy: ProvenBy,
): Promise<boolean> {
  switch (provenBy.kind) {
    case 'password':
      return (await passwordHashOf(queries, userId)) === provenBy.hash;
    case 'identity':
      return (await findIdentity(queries, provenBy))?.user_id === userId;
    case 'passkey':
      return (
        (await queries
          .selectFrom('passkeys')
          .select('id')
          .where('credential_id', '=', provenBy.credentialId)
          .where('user_id', '=', userId)
          .executeTakeFirst()) !== undefined
      );
  }
}
