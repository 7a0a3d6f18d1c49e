import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { type ColumnBounds, constrainNumbers } from '#server/storage/database/number-constraints.ts';

const count: ColumnBounds = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** Stores the backups that this installation made, and the lease of the one that is running. */
export const backupsMigration: Migration = {
  name: '0074-backups',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'backups')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('target', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('owner', text, (column) => column.notNull())
      .addColumn('is_scheduled', integer, (column) => column.notNull())
      .addColumn('started_at', integer, (column) => column.notNull())
      .addColumn('lease_until', integer, (column) => column.notNull())
      .addColumn('ended_at', integer)
      .addColumn('error', text)
      .addColumn('size_bytes', integer, (column) => column.notNull())
      .addColumn('copied_bytes', integer, (column) => column.notNull())
      .addColumn('damaged_count', integer, (column) => column.notNull())
      .addColumn('verified_at', integer)
      .execute();
    const { schema } = context.transaction;
    await schema.createIndex('backups_in_order').on('backups').column('started_at').execute();
    await constrainNumbers(context, 'backups', {
      is_scheduled: { min: 0, max: 1 },
      started_at: instantBounds,
      lease_until: instantBounds,
      ended_at: instantBounds,
      size_bytes: count,
      copied_bytes: count,
      damaged_count: count,
      verified_at: instantBounds,
    });
  },
};
