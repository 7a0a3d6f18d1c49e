import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

const table = 'share_access_requests';

/** Requests of users to listen to a link that is not for them. */
export const shareAccessRequestsMigration: Migration = {
  name: '0066-share-access-requests',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, table)
      .addColumn('share_id', text, (column) => column.notNull().references('shares.id').onDelete('cascade'))
      .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('declined_at', integer)
      .addPrimaryKeyConstraint('share_access_requests_key', ['share_id', 'user_id'])
      .execute();
    await context.transaction.schema
      .createIndex('share_access_requests_user')
      .on(table)
      .column('user_id')
      .execute();
    await constrainNumbers(context, table, { created_at: instantBounds, declined_at: instantBounds });
  },
};
