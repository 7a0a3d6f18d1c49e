import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** Notes at positions in a recording. */
export const notesMigration: Migration = {
  name: '0010-notes',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'notes')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('recording_id', text, (column) =>
        column.notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('from_ms', integer, (column) => column.notNull())
      .addColumn('to_ms', integer)
      .addColumn('text', text, (column) => column.notNull())
      .addColumn('revision', integer, (column) => column.notNull())
      .addColumn('created_by', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .execute();
    const { schema } = context.transaction;
    await schema
      .createIndex('notes_recording_time')
      .on('notes')
      .columns(['recording_id', 'from_ms', 'id'])
      .execute();
    await schema.createIndex('notes_created_by').on('notes').column('created_by').execute();
  },
};
