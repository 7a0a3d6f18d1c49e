import type { Transaction } from 'kysely';
import { day } from '#base/duration.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Schema, SessionRow } from '#server/storage/database/schema.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import type { ProviderNotice } from '#server/features/accounts/providers/provider.ts';
import { endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';
import { deleteIdentity, findIdentity } from '#server/features/accounts/credentials/identities-store.ts';
import type { IdentitiesDeps } from './identities-deps.ts';

/** Longer than a notice is valid. */
const noticeRetentionMs = 30 * day;

/**
 * Records a notice, so that each is processed once.
 * @throws malformed-request (400) if it was received before
 */
async function claimNotice(
  context: IdentitiesDeps,
  transaction: Transaction<Schema>,
  notice: ProviderNotice,
): Promise<void> {
  const nowMs = context.clock.nowMs();
  await transaction
    .deleteFrom('provider_notices')
    .where('received_at', '<', nowMs - noticeRetentionMs)
    .execute();
  const taken = await transaction
    .insertInto('provider_notices')
    .values({ notice_hash: hashOf(`${notice.issuer} ${notice.noticeId}`), received_at: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .returning('notice_hash')
    .executeTakeFirst();
  if (!taken) throw new ProblemError('malformed-request');
}

/**
 * Applies a provider's event. Withdrawn consent ends the sessions that this provider signed in; the identity stays
 * linked, because the user may consent again. A deleted provider account is unlinked, because it can no longer
 * sign in. Returns the sessions that ended.
 */
export function handleProviderEvent(
  context: IdentitiesDeps,
  notice: ProviderNotice,
  from: { provider: string; ip: string },
): Promise<SessionRow[]> {
  return context.database.transaction(async (transaction) => {
    await claimNotice(context, transaction, notice);
    const identity = notice.event === 'other' ? null : await findIdentity(transaction, notice);
    if (!identity) return [];
    if (notice.event === 'account-deleted') await deleteIdentity(transaction, identity.id);
    await recordEvent(transaction, context.clock, {
      action: 'identity.revoked',
      actorId: null,
      subject: identity.user_id,
      ip: from.ip,
      detail: { provider: from.provider, event: notice.event },
    });
    return endSessionsOf(context, transaction, { userId: identity.user_id, method: from.provider });
  });
}
