import { sql } from 'kysely';
import type { ServerStatus } from '#contract/server-status-api.ts';
import { type DatabaseTime, readTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';

type Queue = NonNullable<ServerStatus['queue']['value']>;
type Counts = Queue['kinds'][number];

/** More than this version has; an older or newer one may have left jobs of other kinds. */
const maxKinds = 100;

/** Counts the jobs that are not done, by kind. */
export async function countJobs({ queries }: Database, time: DatabaseTime): Promise<Queue> {
  const nowMs = await readTime(queries, time);
  const rows = await queries
    .selectFrom('jobs')
    .select(['kind', 'state'])
    .select((eb) => [
      sql<number>`case when run_at <= ${sql.lit(nowMs)} then 1 else 0 end`.as('is_due'),
      eb.fn.countAll<number>().as('count'),
      // A scheduled job is due since the beginning of its interval, and may have been enqueued later.
      sql<number>`min(case when run_at > created_at then run_at else created_at end)`.as('since'),
    ])
    .where('state', 'in', ['queued', 'running', 'failed'])
    .groupBy(['kind', 'state', 'is_due'])
    .execute();
  const byKind = new Map<string, Counts>();
  let oldestMs = Infinity;
  for (const { kind, state, is_due: isDue, count, since } of rows) {
    const counts = byKind.get(kind) ?? { kind, waiting: 0, later: 0, running: 0, failed: 0 };
    byKind.set(kind, counts);
    if (state === 'running' || state === 'failed') counts[state] += Number(count);
    else if (isDue === 1) {
      counts.waiting += Number(count);
      oldestMs = Math.min(oldestMs, since);
    } else counts.later += Number(count);
  }
  return {
    kinds: [...byKind.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1)).slice(0, maxKinds),
    oldestWaitingMs: oldestMs === Infinity ? null : Math.max(0, nowMs - oldestMs),
  };
}
