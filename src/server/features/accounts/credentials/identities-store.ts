import { randomUUID } from 'node:crypto';
import type { Queries } from '#server/storage/database/database.ts';
import type { IdentityRow } from '#server/storage/database/schema.ts';
import type { ProviderProfile } from '#server/features/accounts/providers/provider.ts';

/** The identity of an issuer and subject; null where no user has it. */
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

/** Adds an identity to a user. One that is linked already is a broken unique constraint. */
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

/** Records that an identity was used, and its present label and address. */
export async function touchIdentity(
  queries: Queries,
  identityId: string,
  given: { profile: ProviderProfile; nowMs: number },
): Promise<void> {
  const { label, email } = given.profile;
  await queries
    .updateTable('identities')
    .set({ label, email, last_used_at: given.nowMs })
    .where('id', '=', identityId)
    .execute();
}

/** All identities of a user, the oldest first. */
export function listIdentities(queries: Queries, userId: string): Promise<IdentityRow[]> {
  return queries
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .orderBy('id')
    .execute();
}

/** Removes an identity from its user. */
export async function deleteIdentity(queries: Queries, identityId: string): Promise<void> {
  await queries.deleteFrom('identities').where('id', '=', identityId).execute();
}
