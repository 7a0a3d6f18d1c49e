import type { Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

/** Stores by how much an imported file is louder than full scale. A job measures the files of earlier versions. */
export const quieterImportsMigration: Migration = {
  name: '0091-quieter-imports',
  oldestCode: '0065-shares',
  async up(context) {
    const { transaction, types } = context;
    await transaction.schema.alterTable('imported_files').addColumn('quieter_db', types.integer).execute();
    await constrainNumbers(context, 'imported_files', { quieter_db: { min: 0, max: 60 } });
  },
};
