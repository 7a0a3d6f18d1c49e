import type { Transaction } from 'kysely';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

/**
 * Returns the ids of the administrators who can sign in, and locks their rows until the transaction ends. When two
 * administrators are removed at the same time, the second transaction therefore sees the first change.
 */
export async function lockAdmins(database: Database, transaction: Transaction<Schema>): Promise<string[]> {
  const query = transaction
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .orderBy('id');
  const rows = await (database.dialect === 'postgres' ? query.forUpdate() : query).execute();
  return rows.map(({ id }) => id);
}

/** The result of changing a role. `last`: no administrator would be left. */
export type RoleChange = 'changed' | 'already' | 'unknown' | 'last';

/** Makes the account with this email address an administrator, or a member again. Used by the command line. */
export async function setAdmin(
  { database, clock }: { database: Database; clock: Clock },
  email: string,
  isAdmin: boolean,
): Promise<RoleChange> {
  const role = isAdmin ? 'admin' : 'member';
  return database.transaction(async (transaction) => {
    const admins = await lockAdmins(database, transaction);
    const user = await transaction
      .selectFrom('users')
      .select(['id', 'role'])
      .where('email_key', '=', emailKeyOf(email))
      .executeTakeFirst();
    if (!user) return 'unknown';
    if (user.role === role) return 'already';
    if (!isAdmin && admins.every((id) => id === user.id)) return 'last';
    await transaction.updateTable('users').set({ role }).where('id', '=', user.id).execute();
    await recordEvent(transaction, clock, {
      action: 'account.role-changed',
      actorId: null,
      subject: user.id,
      ip: '',
      detail: { role },
    });
    return 'changed';
  });
}
