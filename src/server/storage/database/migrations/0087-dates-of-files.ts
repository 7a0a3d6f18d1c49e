import type { Migration } from '#server/storage/database/migration.ts';

/** Marks a time that is the date of the imported file. No earlier row has one. */
export const datesOfFilesMigration: Migration = {
  name: '0087-dates-of-files',
  oldestCode: '0065-shares',
  async up({ transaction, types }) {
    await transaction.schema.alterTable('recordings').addColumn('recorded_from', types.text).execute();
  },
};
