import { sql } from 'kysely';
import { createTable, type Migration } from '#server/storage/database/migration.ts';

/** Imported files, the stored size of each recording, and the quota of each user. */
export const importsMigration: Migration = {
  name: '0007-imports',
  async up(context) {
    const {
      transaction,
      types: { text, integer },
    } = context;
    const { schema } = transaction;
    await createTable(context, 'imported_files')
      .addColumn('recording_id', text, (column) =>
        column.primaryKey().notNull().references('recordings.id').onDelete('cascade'),
      )
      .addColumn('importer_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('file_name', text, (column) => column.notNull())
      .addColumn('file_media_type', text, (column) => column.notNull())
      .addColumn('file_size_bytes', integer, (column) => column.notNull())
      .addColumn('file_sha256', text)
      .addColumn('rendition', text, (column) => column.notNull())
      .addColumn('failure_reason', text)
      .execute();
    await schema
      .createIndex('imported_files_same')
      .on('imported_files')
      .columns(['importer_id', 'file_sha256'])
      .execute();
    await schema
      .alterTable('recordings')
      .addColumn('stored_bytes', integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await createTable(context, 'quotas')
      .addColumn('user_id', text, (column) =>
        column.primaryKey().notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('quota_bytes', integer, (column) => column.notNull())
      .execute();
    // Counts only the audio of existing recordings; their next finish counts the rest.
    await sql`update recordings set stored_bytes = size_bytes + coalesce((select sum(remuxed_bytes) from uploads where uploads.recording_id = recordings.id), 0)`.execute(
      transaction,
    );
    await schema
      .createIndex('recordings_stored')
      .on('recordings')
      .columns(['owner_id', 'started_at', 'stored_bytes', 'duration_ms', 'deleted_at'])
      .execute();
    await schema
      .createIndex('recordings_largest')
      .on('recordings')
      .columns(['owner_id', 'stored_bytes'])
      .execute();
    await schema
      .createIndex('recordings_same')
      .on('recordings')
      .columns(['owner_id', 'sha256'])
      .where('sha256', 'is not', null)
      .execute();
  },
};
