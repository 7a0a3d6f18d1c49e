import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** Stores facts about the installation that the database belongs to, one per row. */
export const installationMigration: Migration = {
  name: '0060-installation',
  async up(context) {
    const { text } = context.types;
    await createTable(context, 'installation')
      .addColumn('name', text, (column) => column.primaryKey().notNull())
      .addColumn('value', text, (column) => column.notNull())
      .execute();
  },
};
