import { type AccountStanding, getAccountStanding } from '#contract/accounts-api.ts';
import { route, type Route } from '#server/http/route.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';

/** The row of a deleted account is removed with its last recording. The account log keeps the deletion. */
async function isDeleted(queries: Queries, userId: string): Promise<boolean> {
  const deletion = await queries
    .selectFrom('audit_events')
    .select('id')
    .where('subject', '=', userId)
    .where('action', '=', 'account.deleted')
    .limit(1)
    .executeTakeFirst();
  return deletion !== undefined;
}

async function standingOf(queries: Queries, userId: string): Promise<AccountStanding> {
  const user = await queries
    .selectFrom('users')
    .leftJoin('departed_users', 'departed_users.user_id', 'users.id')
    .select(['users.disabled_at', 'departed_users.left_at'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return (await isDeleted(queries, userId)) ? 'deleted' : 'unknown';
  if (user.left_at !== null) return 'deleted';
  return user.disabled_at === null ? 'active' : 'disabled';
}

/**
 * The route that tells a device whether the owner of its recordings still has an account. It requires no session,
 * because nobody can sign in to an account that is gone.
 */
export const standingRoute = ({ database }: { database: Pick<Database, 'queries'> }): Route =>
  route(getAccountStanding, async ({ params }) => ({
    body: { standing: await standingOf(database.queries, params.userId) },
  }));
