import { instantBounds } from '#base/instant.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { createTable, type Migration } from '#server/storage/database/migration.ts';
import { constrainNumbers } from '#server/storage/database/number-constraints.ts';

const length = { min: 0, max: maxSoundMs };

/** Passages of recordings that are off the record, and up to where the listeners of a live link may have listened. */
export const passagesMigration: Migration = {
  name: '0068-passages',
  async up(context) {
    const { text, integer } = context.types;
    await createTable(context, 'passages')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('recording_id', text, (column) =>
        column.notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('from_ms', integer, (column) => column.notNull())
      .addColumn('to_ms', integer)
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('released_at', integer)
      .execute();
    await constrainNumbers(context, 'passages', {
      from_ms: length,
      to_ms: length,
      created_at: instantBounds,
      released_at: instantBounds,
    });
    const { schema } = context.transaction;
    await schema
      .createIndex('passages_recording')
      .on('passages')
      .columns(['recording_id', 'from_ms'])
      .execute();
    await schema.alterTable('shares').addColumn('live_sent_until_ms', integer).execute();
    await constrainNumbers(context, 'shares', { live_sent_until_ms: length });
  },
};
