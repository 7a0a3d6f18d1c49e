import type { Queries } from '#server/storage/database/database.ts';

/**
 * Whether a person can prove who they are by something else than a provider: a password, a passkey or an
 * authenticator app.
 */
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
