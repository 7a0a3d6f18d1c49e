import type { Clock } from '#base/clock.ts';
import { day, hour } from '#base/duration.ts';
import { removeExpiredFailures } from '#server/features/accounts/throttle/account-failures.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';

/** Recurring jobs and their intervals. */
export const accountSchedules = [{ kind: 'sweep-accounts', everyMs: hour }] as const;

/** Login failures are deleted when none was added for this long. */
const failureRetentionMs = 90 * day;

/**
 * Deletes expired sessions, flows, links and idempotency keys of all users, and deleted accounts that have no
 * recordings left.
 */
export function sweepAccountsJob({ database, clock }: { database: Database; clock: Clock }): JobHandler {
  return {
    kind: 'sweep-accounts',
    lane: 'background',
    async run() {
      const nowMs = clock.nowMs();
      const { queries } = database;
      await queries
        .deleteFrom('sessions')
        .where(({ eb }) =>
          eb.or([eb('idle_expires_at', '<=', nowMs), eb('absolute_expires_at', '<=', nowMs)]),
        )
        .execute();
      for (const table of ['auth_flows', 'link_tokens', 'oauth_flows', 'idempotency_keys'] as const)
        await queries.deleteFrom(table).where('expires_at', '<=', nowMs).execute();
      await removeExpiredFailures(database, nowMs);
      await queries
        .deleteFrom('login_failures')
        .where('updated_at', '<', nowMs - failureRetentionMs)
        .execute();
      await queries
        .deleteFrom('users')
        .where('id', 'in', queries.selectFrom('departed_users').select('user_id'))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('recordings')
                .select('recordings.id')
                .whereRef('recordings.owner_id', '=', 'users.id'),
            ),
          ),
        )
        .execute();
    },
  };
}
