import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { type ColumnBounds, constrainNumbers } from '#server/storage/database/number-constraints.ts';

const count: ColumnBounds = { min: 0, max: Number.MAX_SAFE_INTEGER };

/**
 * The counts that all servers of a PostgreSQL database share: calls per key (the table of rate-limiter-flexible), and
 * failed sign-ins per account. Both contain hashes instead of addresses.
 */
export const sharedLimitsMigration: Migration = {
  name: '0076-shared-limits',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'rate_limits')
      .addColumn('key', text, (column) => column.primaryKey().notNull())
      .addColumn('points', integer, (column) => column.notNull().defaultTo(0))
      .addColumn('expire', integer)
      .execute();
    await createTable(context, 'sign_in_failures')
      .addColumn('account', text, (column) => column.primaryKey().notNull())
      .addColumn('failures', integer, (column) => column.notNull())
      .addColumn('blocked_until', integer, (column) => column.notNull())
      .addColumn('forgotten_at', integer, (column) => column.notNull())
      .execute();
    await constrainNumbers(context, 'rate_limits', { points: count, expire: instantBounds });
    await constrainNumbers(context, 'sign_in_failures', {
      failures: count,
      blocked_until: instantBounds,
      forgotten_at: instantBounds,
    });
  },
};
