import type { Clock } from '#base/clock.ts';
import { databaseTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { JobRow } from '#server/storage/database/schema.ts';

type FailedJob = Pick<JobRow, 'id' | 'kind' | 'error' | 'updated_at'>;

/** Lets an administrator see and retry jobs that are not retried automatically. */
export interface FailedJobsStore {
  /** Returns the newest fifty. */
  list(): Promise<FailedJob[]>;
  /** Queues a failed job again with its attempts reset. Returns false if the job does not exist. */
  retry(id: string): Promise<boolean>;
}

const maxListed = 50;

export function createFailedJobs({
  database,
  clock,
  wake,
}: {
  database: Database;
  clock: Clock;
  wake: () => void;
}): FailedJobsStore {
  return {
    list: () =>
      database.queries
        .selectFrom('jobs')
        .select(['id', 'kind', 'error', 'updated_at'])
        .where('state', '=', 'failed')
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .limit(maxListed)
        .execute(),
    async retry(id) {
      const now = databaseTime(database, clock)();
      const isKnown = await database.transaction(async (transaction) => {
        const job = await transaction
          .selectFrom('jobs')
          .select(['kind', 'dedupe_key', 'state'])
          .where('id', '=', id)
          .executeTakeFirst();
        if (job?.state !== 'failed') return job !== undefined;
        const live =
          job.dedupe_key === null
            ? undefined
            : await transaction
                .selectFrom('jobs')
                .select('id')
                .where('kind', '=', job.kind)
                .where('dedupe_key', '=', job.dedupe_key)
                .where('state', 'in', ['queued', 'running'])
                .executeTakeFirst();
        // The same work is already queued, so this job is done.
        const change =
          live === undefined
            ? { state: 'queued' as const, attempts: 0, deaths: 0, run_at: now }
            : { state: 'done' as const };
        await transaction
          .updateTable('jobs')
          .set({ ...change, updated_at: now })
          .where('id', '=', id)
          .execute();
        return true;
      });
      if (isKnown) wake();
      return isKnown;
    },
  };
}
