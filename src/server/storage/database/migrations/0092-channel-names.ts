import type { Migration } from '#server/storage/database/migration.ts';

/** Stores the names that an imported file states for its channels (none until now). */
export const channelNamesMigration: Migration = {
  name: '0092-channel-names',
  oldestCode: '0065-shares',
  async up({ transaction: { schema }, types: { text } }) {
    await schema.alterTable('imported_files').addColumn('channel_names', text).execute();
  },
};
