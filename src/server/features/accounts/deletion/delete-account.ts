import type { SessionRow } from '#server/storage/database/schema.ts';
import { keyOwnerOfUser } from '#server/http/pipeline/keyed-requests.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import type { Actor } from '#server/features/accounts/sessions/change-account.ts';
import { endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import type { AccountsTransaction, SessionsDeps } from '#server/features/accounts/sessions/sessions-deps.ts';
import type { FailureCeiling } from '#server/features/accounts/throttle/failure-ceiling.ts';

/** The recordings of an account; the recordings feature implements it. */
export interface AccountRecordings {
  /** Returns the number of recordings, those in the trash included, and their total duration. */
  countOf(userId: string): Promise<{ recordings: number; unfinished: number; durationMs: number }>;
  /**
   * Moves all recordings to the trash, in the transaction that deletes the account. Those that are in it keep
   * their date; a running take continues until it ends.
   */
  trashAllOf(transaction: AccountsTransaction, userId: string): Promise<void>;
}

/** The links of an account; the shares feature implements it. */
export interface AccountShares {
  /**
   * Revokes all links of the user, and removes the user from the links of others, in the transaction that deletes
   * the account and before its address is deleted.
   */
  removeUser(transaction: AccountsTransaction, userId: string): Promise<void>;
}

export type DeleteAccountDeps = SessionsDeps & {
  ceiling: FailureCeiling;
  recordings: AccountRecordings;
  shares: AccountShares;
};

/** Tables with personal data or credentials. Each has a `user_id` column. */
const personal = [
  'credentials',
  'passkeys',
  'totp',
  'recovery_codes',
  'identities',
  'auth_flows',
  'oauth_flows',
  'link_tokens',
  'share_access_requests',
] as const;

async function forget(transaction: AccountsTransaction, userId: string, nowMs: number): Promise<void> {
  for (const table of personal) await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  // Those of a running take belong to its capability.
  const ownRecordings = transaction.selectFrom('recordings').select('id').where('owner_id', '=', userId);
  await transaction
    .deleteFrom('idempotency_keys')
    .where((eb) =>
      eb.or([eb('principal', '=', keyOwnerOfUser(userId)), eb('recording_id', 'in', ownRecordings)]),
    )
    .execute();
  await transaction
    .updateTable('users')
    .where('id', '=', userId)
    .set({
      display_name: '–',
      email: null,
      email_key: null,
      email_verified_at: null,
      locale: null,
      role: 'member',
      disabled_at: nowMs,
    })
    .execute();
  await transaction.insertInto('departed_users').values({ user_id: userId, left_at: nowMs }).execute();
}

/**
 * Deletes everything that identifies the user or signs them in. The recordings are moved to the trash; the
 * anonymous account row is deleted after the last of them.
 */
export async function deleteAccount(
  deps: DeleteAccountDeps,
  { principal: { userId }, ip }: Actor,
): Promise<SessionRow[]> {
  const { database, clock, ceiling, recordings, shares } = deps;
  return database.transaction(async (transaction) => {
    await database.lockUser(transaction, userId);
    const user = await transaction
      .selectFrom('users')
      .select('email_key')
      .where('id', '=', userId)
      .executeTakeFirst();
    await ceiling.clear(transaction, user?.email_key ?? null);
    await recordings.trashAllOf(transaction, userId);
    await shares.removeUser(transaction, userId);
    const ended = await endSessionsOf(deps, transaction, { userId });
    if (ended.length > 0) await forget(transaction, userId, clock.nowMs());
    await recordEvent(transaction, clock, {
      action: 'account.deleted',
      actorId: userId,
      subject: userId,
      ip,
    });
    return ended;
  });
}
