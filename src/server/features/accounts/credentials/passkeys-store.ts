import { randomUUID } from 'node:crypto';
import { instantOf, instantOrNull } from '#base/instant.ts';
import type { Passkey } from '#contract/credentials-api.ts';
import type { PasskeyAssertion } from '#contract/passkeys.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { PasskeyRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { deviceLabel } from '#server/features/accounts/sessions/device-label.ts';
import type { NewPasskey } from './passkey-ceremony.ts';
import type { CredentialsDeps } from './credentials-deps.ts';

/** The name of a new passkey. Defaults to the device it was created on. */
export const passkeyName = (given: string | undefined, userAgent: string | undefined): string =>
  given ?? (deviceLabel(userAgent) || 'Passkey');

/** The API representation of a passkey for its owner. */
export const presentPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  createdAt: instantOf(row.created_at),
  lastUsedAt: instantOrNull(row.last_used_at),
  isBackedUp: row.backed_up === 1,
});

/** Lists a user's passkeys, oldest first. */
export function listPasskeys(queries: Queries, userId: string): Promise<PasskeyRow[]> {
  return queries
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Stores a new passkey. Violates a unique constraint if it is already registered. */
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

/** Renames a passkey. Returns null if the user does not own it. */
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

/** Deletes a passkey. Returns false if the user does not own it. */
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
 * Verifies an assertion and returns the user of its passkey. Returns null if the passkey is unknown, if the
 * assertion is invalid, or if `userId` or the user handle names another user than the passkey's. Records a counter
 * that decreased in the audit log.
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
