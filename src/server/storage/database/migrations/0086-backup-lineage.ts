import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

/** Stores whose backups this database makes. A table of its own, because no copy of the database may contain it. */
export const backupLineageMigration: Migration = {
  name: '0086-backup-lineage',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'backup_lineage')
      // There is one row.
      .addColumn('only', integer, (column) => column.primaryKey().notNull())
      .addColumn('id', text, (column) => column.notNull())
      .addColumn('made_by', text, (column) => column.notNull())
      .addColumn('made_at', integer, (column) => column.notNull())
      .addColumn('continues', text)
      .execute();
    await constrainNumbers(context, 'backup_lineage', {
      only: { min: 1, max: 1 },
      made_at: instantBounds,
    });
  },
};
