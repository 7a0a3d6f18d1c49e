import { setImmediate as nextTurn } from 'node:timers/promises';
import { getMissingQuotas, grantMissingQuotas } from '#contract/administration-api.ts';
import { adminOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { countedBytesOf } from '#server/storage/rows/used-bytes.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { AdministrationDeps } from './administration-deps.ts';

const usersPerQuery = 100;

/** Accounts that a sign-up would have given a quota, and that have none. */
const withoutQuota = (queries: Queries) =>
  queries
    .selectFrom('users')
    .where('users.role', '<>', 'admin')
    .where('users.id', 'not in', queries.selectFrom('departed_users').select('departed_users.user_id'))
    .where('users.id', 'not in', queries.selectFrom('quotas').select('quotas.user_id'));

/**
 * Counts the accounts without a quota, and those of them that already store more than `quotaBytes`. The bytes of
 * growing recordings count as the database has them.
 */
async function countMissing(
  queries: Queries,
  quotaBytes: number,
  signal: AbortSignal,
): Promise<{ userCount: number; overCount: number }> {
  const counts = { userCount: 0, overCount: 0 };
  for (let lastId = ''; ; await nextTurn()) {
    signal.throwIfAborted();
    const rows = await withoutQuota(queries)
      .select('users.id')
      .where('users.id', '>', lastId)
      .orderBy('users.id')
      .limit(usersPerQuery)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return counts;
    counts.userCount += ids.length;
    const counted = await countedBytesOf(queries, ids);
    counts.overCount += [...counted.values()].filter(({ usedBytes }) => usedBytes > quotaBytes).length;
    lastId = ids.at(-1) ?? '';
  }
}

/** The routes that give existing accounts the quota that new ones get. */
export function missingQuotaRoutes({ database, clock, signUpQuota }: AdministrationDeps): Route[] {
  const { queries } = database;
  return [
    route(getMissingQuotas, async (context) => {
      adminOf(context);
      const quotaBytes = await signUpQuota.readBytes();
      const counts =
        quotaBytes === null
          ? { userCount: 0, overCount: 0 }
          : await countMissing(queries, quotaBytes, context.signal);
      return { body: { quotaBytes, ...counts } };
    }),
    route(grantMissingQuotas, async (context) => {
      const { userId: actorId } = adminOf(context);
      const { quotaBytes } = context.body;
      const granted = await database.transaction(async (transaction) => {
        const rows = await transaction
          .insertInto('quotas')
          .columns(['user_id', 'quota_bytes'])
          .expression((eb) =>
            withoutQuota(transaction).select(['users.id', eb.val(quotaBytes).as('quota_bytes')]),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('user_id')
          .execute();
        await recordEvent(transaction, clock, {
          action: 'quota.granted',
          actorId,
          subject: null,
          ip: context.ip,
          detail: { quotaBytes, userCount: rows.length },
        });
        return rows;
      });
      return { body: { userCount: granted.length } };
    }),
  ];
}
