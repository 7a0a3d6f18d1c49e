import type { AccountChange } from '#server/mail/email-templates.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { recordEvent, type AccountEvent } from './audit-log.ts';
import type { AccountsRoutesDeps } from './present.ts';
import { findUser } from './users-store.ts';

/**
 * Tells a person by mail that their account was changed, where they can be told (ASVS 6.3.7). Wake the queue
 * once it is committed.
 */
export async function noticeChange(
  deps: Pick<AccountsRoutesDeps, 'mail'>,
  queries: Queries,
  notice: { userId: string; change: AccountChange },
): Promise<void> {
  const user = await findUser(queries, notice.userId);
  if (user?.email)
    await deps.mail.post(queries, {
      to: user.email,
      locale: user.locale,
      letter: { kind: 'account-changed', change: notice.change },
    });
}

/**
 * Writes down what a person changed about their own account, and tells them by mail. Wake the queue once it
 * is committed.
 */
export async function noteChange(
  deps: Pick<AccountsRoutesDeps, 'mail' | 'clock'>,
  queries: Queries,
  noted: {
    userId: string;
    subject?: string;
    change: AccountChange;
    ip: string;
    action: AccountEvent['action'];
    detail?: AccountEvent['detail'];
  },
): Promise<void> {
  const { userId, subject = userId, ip, action, detail, change } = noted;
  await recordEvent(queries, deps.clock, {
    action,
    actorId: userId,
    subject,
    ip,
    ...(detail ? { detail } : {}),
  });
  await noticeChange(deps, queries, { userId, change });
}
