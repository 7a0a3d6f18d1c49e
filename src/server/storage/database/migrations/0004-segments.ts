import { sql } from 'kysely';
import type { Migration } from '#server/storage/database/migration.ts';

/** Data about each stored segment beyond its receipt, and when a recording was last finished. */
export const segmentsMigration: Migration = {
  name: '0004-segments',
  async up({ transaction: { schema }, types: { text, integer } }) {
    await schema
      .alterTable('uploads')
      .addColumn('container', text, (column) => column.notNull().defaultTo('ogg'))
      .execute();
    await schema.alterTable('uploads').addColumn('verified_at', integer).execute();
    await schema.alterTable('uploads').addColumn('damaged_at', integer).execute();
    await schema.alterTable('uploads').addColumn('remuxed_bytes', integer).execute();
    await schema.alterTable('recordings').addColumn('damaged_at', integer).execute();
    await schema.alterTable('recordings').addColumn('finished_at', integer).execute();
    await schema
      .createIndex('uploads_verified')
      .on('uploads')
      .columns(['verified_at', 'id'])
      .where(sql.ref('sealed_at'), 'is not', null)
      .execute();
    await schema
      .createIndex('uploads_damaged')
      .on('uploads')
      .column('recording_id')
      .where(sql.ref('damaged_at'), 'is not', null)
      .execute();
  },
};
