import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { removeTotp } from './totp-store.ts';
import { notifyOfChange } from '#server/features/accounts/account-mail.ts';
import type { CredentialsDeps } from './credentials-deps.ts';
import { emailKeyOf } from '#server/storage/rows/email-key.ts';

/** The result of turning two-step sign-in off. */
export type TwoStepOff = 'off' | 'already' | 'unknown';

/**
 * Turns off two-step sign-in for the account with this email address, whose owner has lost the app and the codes.
 * Used by the command line.
 */
export async function turnTwoStepOff(
  deps: Pick<CredentialsDeps, 'database' | 'clock' | 'flows' | 'mail'>,
  email: string,
): Promise<TwoStepOff> {
  const { database, clock, flows } = deps;
  return database.transaction(async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select('id')
      .where('email_key', '=', emailKeyOf(email))
      .executeTakeFirst();
    if (!user) return 'unknown';
    await database.lockUser(transaction, user.id);
    if (!(await removeTotp(transaction, user.id))) return 'already';
    await flows.dropOf(transaction, user.id, 'second-factor');
    await recordEvent(transaction, clock, { action: 'totp.off', actorId: null, subject: user.id, ip: '' });
    await notifyOfChange(deps, transaction, { userId: user.id, change: 'two-step-off' });
    return 'off';
  });
}
