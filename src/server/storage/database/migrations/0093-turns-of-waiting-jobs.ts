import { sql } from 'kysely';
import type { Migration } from '#server/storage/database/migration.ts';

/** Finds the next job of each user without reading all waiting jobs. */
export const turnsOfWaitingJobsMigration: Migration = {
  name: '0093-turns-of-waiting-jobs',
  oldestCode: '0065-shares',
  async up({ transaction: { schema } }) {
    await schema
      .createIndex('jobs_turns')
      .on('jobs')
      .expression(sql`kind, priority, coalesce(user_id, kind), run_at, id`)
      .where(sql<boolean>`state = 'queued'`)
      .execute();
  },
};
