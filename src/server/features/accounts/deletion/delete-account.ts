import { instantOf } from '#base/instant.ts';
import { deleteAccount, previewAccountDeletion } from '#contract/credentials-api.ts';
import { limits } from '#contract/limits.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import type { SessionRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import type { AccountsRoutesDeps, AccountsTransaction } from '#server/features/accounts/present.ts';
import type { Actor } from '#server/features/accounts/sessions/change-account.ts';
import { requireRecentAuth } from '#server/features/accounts/sessions/require-recent-auth.ts';
import { announceEnded, endSessionsOf } from '#server/features/accounts/sessions/sessions-of-user.ts';

/** What identifies or lets in; each table has the person in `user_id`. */
const personal = [
  'credentials',
  'passkeys',
  'totp',
  'recovery_codes',
  'identities',
  'auth_flows',
  'oauth_flows',
  'link_tokens',
] as const;

async function forget(transaction: AccountsTransaction, userId: string, nowMs: number): Promise<void> {
  for (const table of personal) await transaction.deleteFrom(table).where('user_id', '=', userId).execute();
  await transaction.deleteFrom('idempotency_keys').where('principal', '=', userId).execute();
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
 * Everything that names or lets the person in goes now. The recordings go to the trash, and the empty account
 * with the last of them.
 */
async function leave(deps: AccountsRoutesDeps, { principal: { userId }, ip }: Actor): Promise<SessionRow[]> {
  const { database, clock, ceiling, recordings } = deps;
  return database.transaction(async (transaction) => {
    await database.lockUser(transaction, userId);
    const user = await transaction
      .selectFrom('users')
      .select('email_key')
      .where('id', '=', userId)
      .executeTakeFirst();
    await ceiling.clear(transaction, user?.email_key ?? null);
    await recordings.trashAllOf(transaction, userId);
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

/** Leaving: what it would do, and doing it. */
export function deleteAccountRoutes(deps: AccountsRoutesDeps): Route[] {
  const { clock, recordings, cookies } = deps;
  return [
    route(previewAccountDeletion, async (context) => ({
      body: {
        ...(await recordings.countOf(sessionOf(context).userId)),
        purgedAt: instantOf(clock.nowMs() + limits.trashKeptMs),
      },
    })),
    route(deleteAccount, async (context) => {
      const principal = requireRecentAuth(sessionOf(context), clock);
      announceEnded(deps, await leave(deps, { principal, ip: context.ip }));
      cookies.clearSession(context.reply);
      return { status: 204 };
    }),
  ];
}
