import type { Migration } from '#server/storage/database/migration.ts';

/** Stores the audio tracks of an imported file that has several (none until now). */
export const importTracksMigration: Migration = {
  name: '0061-import-tracks',
  async up({ transaction: { schema }, types: { text } }) {
    await schema.alterTable('imported_files').addColumn('tracks', text).execute();
  },
};
