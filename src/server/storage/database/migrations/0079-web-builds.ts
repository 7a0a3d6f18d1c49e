import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

/** Stores which builds of the web app the blob store has files of, so that every server can answer for all of them. */
export const webBuildsMigration: Migration = {
  name: '0079-web-builds',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'web_builds')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('files', text, (column) => column.notNull())
      .addColumn('used_at', integer, (column) => column.notNull())
      .execute();
    await constrainNumbers(context, 'web_builds', { used_at: instantBounds });
  },
};
