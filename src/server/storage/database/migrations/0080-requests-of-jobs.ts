import type { Migration } from '#server/storage/database/migration.ts';

/** Stores which request caused a job, so that its log lines carry the request's id on every server. */
export const requestsOfJobsMigration: Migration = {
  name: '0080-requests-of-jobs',
  oldestCode: '0065-shares',
  async up({ transaction, types }) {
    await transaction.schema.alterTable('jobs').addColumn('request_id', types.text).execute();
  },
};
