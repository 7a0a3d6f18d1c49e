import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** Playback positions: one row per recording and user. */
export const positionsMigration: Migration = {
  name: '0009-positions',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'playback_positions')
      .addColumn('recording_id', text, (column) =>
        column.notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('position_ms', integer, (column) => column.notNull())
      .addColumn('heard_at', integer, (column) => column.notNull())
      .addColumn('player_id', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('playback_positions_key', ['recording_id', 'user_id'])
      .execute();
    await context.transaction.schema
      .createIndex('playback_positions_user')
      .on('playback_positions')
      .column('user_id')
      .execute();
  },
};
