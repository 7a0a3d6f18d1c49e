import type { Queries } from '#server/storage/database/database.ts';
import type { IdentityRow } from '#server/storage/database/schema.ts';
import { findIdentity } from './identities-store.ts';
import { passwordHashOf } from '#server/features/accounts/password-store.ts';

/** Whether this server still offers the provider of an identity. */
export type IsUsableIdentity = (identity: Pick<IdentityRow, 'provider' | 'issuer'>) => boolean;

/** A password without an email address can't be used to sign in. */
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
 * Returns how many credentials a user can sign in with. Second factors don't count, because they can't be used
 * alone. Call it in the transaction that removes a credential, after `database.lockUser`; otherwise two concurrent
 * removals could each rely on the other credential.
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

/** Whether a user can prove who they are without a provider: by password, passkey or authenticator app. */
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
 * Whether a verified credential can still open the account. It may have been changed or removed since it was
 * verified, and all sessions ended with it. Call it in the transaction that starts the session, after
 * `database.lockUser`.
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
