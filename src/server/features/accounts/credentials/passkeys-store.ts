import { randomUUID } from 'node:crypto';
import { instantOf } from '#base/instant.ts';
import type { Passkey } from '#contract/credentials-api.ts';
import type { PasskeyAssertion } from '#contract/passkeys.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { PasskeyRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { deviceLabel } from '#server/features/accounts/sessions/device-label.ts';
import type { NewPasskey } from './passkey-ceremony.ts';
import type { CredentialsDeps } from './credentials-deps.ts';

/** What a passkey is called whose owner gave it no name: the device it was made on. */
export const passkeyName = (given: string | undefined, userAgent: string | undefined): string =>
  given ?? (deviceLabel(userAgent) || 'Passkey');

/** A passkey as its owner sees it. */
export const presentPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  createdAt: instantOf(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : instantOf(row.last_used_at),
  isBackedUp: row.backed_up === 1,
});

/** A user's passkeys, the oldest first. */
export function listPasskeys(queries: Queries, userId: string): Promise<PasskeyRow[]> {
  return queries
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Stores a new passkey of a user. One that is known already is a broken unique constraint. */
export async function insertPasskey(
  queries: Queries,
  given: { userId: string; name: string; passkey: NewPasskey },
  nowMs: number,
): Promise<PasskeyRow> {
  const row: PasskeyRow = {
    ...given.passkey,
    id: randomUUID(),
    user_id: given.userId,
    name: given.name,
    created_at: nowMs,
    last_used_at: null,
  };
  await queries.insertInto('passkeys').values(row).execute();
  return row;
}

/** Renames a passkey of a user; null where it is not theirs. */
export async function renamePasskey(
  queries: Queries,
  passkey: { id: string; userId: string; name: string },
): Promise<PasskeyRow | null> {
  return (
    (await queries
      .updateTable('passkeys')
      .set({ name: passkey.name })
      .where('id', '=', passkey.id)
      .where('user_id', '=', passkey.userId)
      .returningAll()
      .executeTakeFirst()) ?? null
  );
}

/** Removes a passkey of a user; false where it is not theirs. */
export async function deletePasskey(
  queries: Queries,
  passkey: { id: string; userId: string },
): Promise<boolean> {
  return (
    (
      await queries
        .deleteFrom('passkeys')
        .where('id', '=', passkey.id)
        .where('user_id', '=', passkey.userId)
        .executeTakeFirstOrThrow()
    ).numDeletedRows > 0n
  );
}

export interface AssertionRequest {
  challenge: string;
  requireUserVerification: boolean;
  userId: string | null;
  ip: string;
}

const userHandleOf = (credential: PasskeyAssertion): string | null =>
  credential.response.userHandle
    ? Buffer.from(credential.response.userHandle, 'base64url').toString('utf8')
    : null;

/**
 * Verifies an assertion and returns the user of its passkey; null where the passkey is unknown, belongs to
 * another user than `userId` or than its own user handle, or the proof is wrong. A counter that went back is
 * recorded.
 */
export async function userOfAssertion(
  context: Pick<CredentialsDeps, 'database' | 'clock' | 'ceremony'>,
  credential: PasskeyAssertion,
  question: AssertionRequest,
): Promise<{ userId: string } | null> {
  const { queries } = context.database;
  const passkey = await queries
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credential.id)
    .executeTakeFirst();
  if (!passkey || (question.userId !== null && passkey.user_id !== question.userId)) return null;
  const handle = userHandleOf(credential);
  if (handle !== null && handle !== passkey.user_id) return null;
  const checked = await context.ceremony.checkAssertion(credential, {
    challenge: question.challenge,
    passkey,
    requireUserVerification: question.requireUserVerification,
  });
  if (!checked) return null;
  if (checked.counter < passkey.counter) {
    await recordEvent(queries, context.clock, {
      action: 'passkey.counter-went-back',
      actorId: passkey.user_id,
      subject: passkey.id,
      ip: question.ip,
    });
  }
  await queries
    .updateTable('passkeys')
    .set({
      counter: checked.counter,
      backed_up: checked.isBackedUp ? 1 : 0,
      last_used_at: context.clock.nowMs(),
    })
    .where('id', '=', passkey.id)
    .execute();
  return { userId: passkey.user_id };
}
