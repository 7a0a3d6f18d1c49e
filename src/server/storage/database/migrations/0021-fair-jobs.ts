import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** Takes jobs from users in turn, and sets aside a job that crashed its process twice. */
export const fairJobsMigration: Migration = {
  name: '0021-fair-jobs',
  async up(context) {
    const { text, integer } = context.types;
    const { schema } = context.transaction;
    await schema.alterTable('jobs').addColumn('user_id', text).execute();
    await schema
      .alterTable('jobs')
      .addColumn('deaths', integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await schema.createIndex('jobs_user_state').on('jobs').columns(['user_id', 'state']).execute();
    await createTable(context, 'job_turns')
      .addColumn('user_id', text, (column) => column.primaryKey().notNull())
      .addColumn('served_at', integer, (column) => column.notNull())
      .execute();
  },
};
