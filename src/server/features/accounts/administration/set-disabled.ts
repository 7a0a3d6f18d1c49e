import type { Clock } from '#base/clock.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { SessionRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import type { AuthFlows } from '#server/features/accounts/challenges/auth-flows.ts';
import type { LinkTokens } from '#server/features/accounts/challenges/link-tokens.ts';
import { endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { lockAdmins } from './admin-role.ts';
import type { AccountsTransaction, SessionTakes } from '#server/features/accounts/sessions/sessions-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

/** The result of disabling or enabling an account. `last`: no administrator would be left. */
export type DisabledChange = 'changed' | 'already' | 'unknown' | 'last';

/** Identifies an account by id, or by email address when called from the command line. */
type AccountRef = { id: string } | { email: string };

interface SetDisabledDeps {
  database: Database;
  clock: Clock;
  flows: AuthFlows;
  links: LinkTokens;
  takes: SessionTakes;
}
interface SetDisabled {
  account: AccountRef;
  isDisabled: boolean;
  actorId: string | null;
  ip: string;
}

const findAccount = (transaction: AccountsTransaction, account: AccountRef) => {
  const query = transaction
    .selectFrom('users')
    .select(['id', 'disabled_at'])
    .where('id', 'not in', transaction.selectFrom('departed_users').select('departed_users.user_id'));
  return (
    'id' in account
      ? query.where('id', '=', account.id)
      : query.where('email_key', '=', emailKeyOf(account.email))
  ).executeTakeFirst();
};

/**
 * Revokes all access of an account: its sessions and their upload capabilities, sign-ins in progress, and reset
 * links. Recordings are not changed.
 */
async function endAccess(
  deps: SetDisabledDeps,
  transaction: AccountsTransaction,
  userId: string,
): Promise<SessionRow[]> {
  await deps.flows.dropOf(transaction, userId);
  await deps.links.dropResets(transaction, userId);
  return endSessionsOf(deps, transaction, { userId });
}

/** Disables or enables an account. Returns the ended sessions, whose event streams the caller must close. */
export async function setDisabled(
  deps: SetDisabledDeps,
  { account, isDisabled, actorId, ip }: SetDisabled,
): Promise<{ change: DisabledChange; ended: SessionRow[] }> {
  const { database, clock } = deps;
  return database.transaction(async (transaction) => {
    const admins = await lockAdmins(database, transaction);
    const found = await findAccount(transaction, account);
    if (!found) return { change: 'unknown', ended: [] };
    await database.lockUser(transaction, found.id);
    if ((found.disabled_at !== null) === isDisabled) return { change: 'already', ended: [] };
    if (isDisabled && admins.every((id) => id === found.id)) return { change: 'last', ended: [] };
    await transaction
      .updateTable('users')
      .set({ disabled_at: isDisabled ? clock.nowMs() : null })
      .where('id', '=', found.id)
      .execute();
    await recordEvent(transaction, clock, {
      action: isDisabled ? 'account.disabled' : 'account.enabled',
      actorId,
      subject: found.id,
      ip,
    });
    return { change: 'changed', ended: isDisabled ? await endAccess(deps, transaction, found.id) : [] };
  });
}
