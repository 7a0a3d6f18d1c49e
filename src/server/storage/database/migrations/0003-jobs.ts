import { sql } from 'kysely';
import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** Background jobs. */
export const jobsMigration: Migration = {
  name: '0003-jobs',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'jobs')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('dedupe_key', text)
      .addColumn('payload', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('priority', integer, (column) => column.notNull())
      .addColumn('attempts', integer, (column) => column.notNull())
      .addColumn('run_at', integer, (column) => column.notNull())
      .addColumn('lease_until', integer)
      .addColumn('owner', text)
      .addColumn('fence', integer, (column) => column.notNull())
      .addColumn('error', text)
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .execute();
    const { schema } = context.transaction;
    await schema.createIndex('jobs_state_run_at').on('jobs').columns(['state', 'run_at']).execute();
    await schema
      .createIndex('jobs_one_live')
      .unique()
      .on('jobs')
      .columns(['kind', 'dedupe_key'])
      .where(sql<boolean>`state in ('queued', 'running')`)
      .execute();
  },
};
