import { instantBounds } from '#base/instant.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { type ColumnBounds, constrainNumbers } from '#server/storage/database/number-constraints.ts';

const bytes: ColumnBounds = { min: 0, max: Number.MAX_SAFE_INTEGER };

/**
 * Stores which servers of the installation run, each with its heartbeat, and when every stored stream was last
 * verified.
 */
export const nodesMigration: Migration = {
  name: '0081-nodes',
  oldestCode: '0065-shares',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'nodes')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('host', text, (column) => column.notNull())
      .addColumn('place', text, (column) => column.notNull())
      .addColumn('role', text, (column) => column.notNull())
      .addColumn('version', text, (column) => column.notNull())
      .addColumn('build', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('started_at', integer, (column) => column.notNull())
      .addColumn('seen_at', integer, (column) => column.notNull())
      .addColumn('disk_free_bytes', integer)
      .addColumn('disk_total_bytes', integer)
      .addColumn('clock_ahead_ms', integer)
      .addColumn('backup_every_ms', integer)
      .execute();
    await createTable(context, 'verification_passes')
      .addColumn('name', text, (column) => column.primaryKey().notNull())
      .addColumn('ended_at', integer, (column) => column.notNull())
      .execute();
    await constrainNumbers(context, 'nodes', {
      started_at: instantBounds,
      seen_at: instantBounds,
      disk_free_bytes: bytes,
      disk_total_bytes: bytes,
      clock_ahead_ms: { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
      backup_every_ms: bytes,
    });
    await constrainNumbers(context, 'verification_passes', { ended_at: instantBounds });
  },
};
