import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** Starred recordings: one row per user and recording. */
export const favouritesMigration: Migration = {
  name: '0062-favourites',
  async up(context) {
    const { text } = context.types;
    await createTable(context, 'favourites')
      .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('recording_id', text, (column) =>
        column.notNull().references('recordings.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('favourites_key', ['user_id', 'recording_id'])
      .execute();
    await context.transaction.schema
      .createIndex('favourites_recording')
      .on('favourites')
      .columns(['recording_id', 'user_id'])
      .execute();
  },
};
