import type { Queries } from '#server/storage/database/database.ts';
import { findIdentity } from './identities-store.ts';
import { passwordHashOf } from './password-store.ts';

/** What a person came in by. */
export type ProvenBy =
  | { kind: 'password'; hash: string }
  | { kind: 'identity'; issuer: string; subject: string }
  | { kind: 'passkey'; credentialId: string };

/**
 * Whether a credential that was found right still opens the account: it may have been changed or removed
 * since, and every session ended with it. Ask in the transaction that begins the session, after
 * `database.lockUser`.
 */
export async function stillStands(queries: Queries, userId: string, provenBy: ProvenBy): Promise<boolean> {
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
