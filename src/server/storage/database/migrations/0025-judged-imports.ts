import type { Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

/**
 * Stores the container of the file that is played instead of a segment (Ogg until now), and the version of the
 * rules that classified an import (none until now).
 */
export const judgedImportsMigration: Migration = {
  name: '0025-judged-imports',
  async up(context) {
    const {
      transaction: { schema },
      types: { text, integer },
    } = context;
    await schema.alterTable('uploads').addColumn('remuxed_container', text).execute();
    await schema
      .alterTable('imported_files')
      .addColumn('judged_version', integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await constrainNumbers(context, 'imported_files', {
      judged_version: { min: 0, max: 1_000_000, instead: 0 },
    });
    await schema
      .createIndex('imported_files_judged')
      .on('imported_files')
      .columns(['judged_version', 'recording_id'])
      .execute();
  },
};
