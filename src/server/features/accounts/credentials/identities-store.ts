import { randomUUID } from 'node:crypto';
import type { Queries } from '#server/storage/database/database.ts';
import type { IdentityRow } from '#server/storage/database/schema.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';

/** Finds an identity by issuer and subject. Returns null if no user has it. */
export async function findIdentity(
  queries: Queries,
  { issuer, subject }: Pick<ProviderProfile, 'issuer' | 'subject'>,
): Promise<IdentityRow | null> {
  return (
    (await queries
      .selectFrom('identities')
      .selectAll()
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst()) ?? null
  );
}

/** Links an identity to a user. Violates a unique constraint if the identity is already linked. */
export async function insertIdentity(
  queries: Queries,
  profile: ProviderProfile,
  given: { userId: string; provider: string; nowMs: number },
): Promise<IdentityRow> {
  const row: IdentityRow = {
    id: randomUUID(),
    user_id: given.userId,
    provider: given.provider,
    issuer: profile.issuer,
    subject: profile.subject,
    label: profile.label,
    email: profile.email,
    linked_at: given.nowMs,
    last_used_at: given.nowMs,
  };
  await queries.insertInto('identities').values(row).execute();
  return row;
}

/** Records the use of an identity, and its label and address where the provider reported them this time. */
export async function touchIdentity(
  queries: Queries,
  identityId: string,
  given: { profile: ProviderProfile; nowMs: number },
): Promise<void> {
  const { label, email } = given.profile;
  await queries
    .updateTable('identities')
    .set({
      ...(label === null ? {} : { label }),
      ...(email === null ? {} : { email }),
      last_used_at: given.nowMs,
    })
    .where('id', '=', identityId)
    .execute();
}

/** Lists the identities of a user, oldest first. */
export function listIdentities(queries: Queries, userId: string): Promise<IdentityRow[]> {
  return queries
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .orderBy('id')
    .execute();
}

/** Unlinks an identity. */
export async function deleteIdentity(queries: Queries, identityId: string): Promise<void> {
  await queries.deleteFrom('identities').where('id', '=', identityId).execute();
}
