import { instantBounds } from '#base/instant.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';
import type { Migration } from '#server/storage/database/migration.ts';

/**
 * Links that a restore from the trash left off. A server with earlier code opens them, as it did before, until it is
 * updated.
 */
export const linksLeftOffMigration: Migration = {
  name: '0084-links-left-off',
  oldestCode: '0065-shares',
  async up(context) {
    const { transaction, types } = context;
    await transaction.schema.alterTable('shares').addColumn('off_at', types.integer).execute();
    await constrainNumbers(context, 'shares', { off_at: instantBounds });
  },
};
