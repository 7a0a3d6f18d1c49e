import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** What the database knows of the installation that it belongs to, one fact a row. */
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
