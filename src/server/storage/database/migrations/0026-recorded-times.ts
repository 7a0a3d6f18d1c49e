import { sql } from 'kysely';
import { instantBounds } from '#base/instant.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';
import type { Migration } from '#server/storage/database/migration.ts';

/**
 * A recording's time can be a moment, a local time, a date or unknown. Existing rows are moments. Every index
 * still sorts by `started_at`. The new index finds the few rows that are not moments, whose days do not depend on
 * a time zone.
 */
export const recordedTimesMigration: Migration = {
  name: '0026-recorded-times',
  async up(context) {
    const {
      transaction,
      types: { text, integer },
    } = context;
    const recordings = transaction.schema.alterTable('recordings');
    await recordings
      .addColumn('recorded_kind', text, (column) => column.notNull().defaultTo('moment'))
      .execute();
    await recordings.addColumn('recorded_date', text).execute();
    await recordings.addColumn('began_at', integer).execute();
    await constrainNumbers(context, 'recordings', { began_at: instantBounds });
    await sql`create index recordings_dated on recordings (owner_id, started_at, id) where recorded_kind <> 'moment'`.execute(
      transaction,
    );
  },
};
