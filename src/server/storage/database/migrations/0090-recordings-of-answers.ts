import type { Migration } from '#server/storage/database/migration.ts';

/**
 * Names the recording of each stored answer to a retried request, so that the answer is deleted with it. Earlier rows
 * expire within a day.
 */
export const recordingsOfAnswersMigration: Migration = {
  name: '0090-recordings-of-answers',
  oldestCode: '0065-shares',
  async up({ transaction, types }) {
    await transaction.schema
      .alterTable('idempotency_keys')
      .addColumn('recording_id', types.text, (column) =>
        column.references('recordings.id').onDelete('cascade'),
      )
      .execute();
    await transaction.schema
      .createIndex('idempotency_keys_of_recording')
      .on('idempotency_keys')
      .column('recording_id')
      .execute();
  },
};
