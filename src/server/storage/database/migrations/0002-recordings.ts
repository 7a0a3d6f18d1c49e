import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

async function createRecordings(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'recordings')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('title_folded', text, (column) => column.notNull())
    .addColumn('language', text)
    .addColumn('started_at', integer, (column) => column.notNull())
    .addColumn('time_zone', text, (column) => column.notNull())
    .addColumn('duration_ms', integer, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('container', text, (column) => column.notNull())
    .addColumn('codec', text, (column) => column.notNull())
    .addColumn('sample_rate_hz', integer, (column) => column.notNull())
    .addColumn('channels', integer, (column) => column.notNull())
    .addColumn('size_bytes', integer, (column) => column.notNull())
    .addColumn('sha256', text)
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('device_label', text)
    .addColumn('peaks_points', integer, (column) => column.notNull())
    .addColumn('overview', text)
    .addColumn('gaps', text, (column) => column.notNull())
    .addColumn('pauses', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('deleted_at', integer)
    .execute();
  const { schema } = context.transaction;
  await schema
    .createIndex('recordings_owner_started')
    .on('recordings')
    .columns(['owner_id', 'started_at', 'id'])
    .execute();
  await schema
    .createIndex('recordings_state_updated')
    .on('recordings')
    .columns(['state', 'updated_at'])
    .execute();
  await schema
    .createIndex('recordings_trashed')
    .on('recordings')
    .column('deleted_at')
    .where('deleted_at', 'is not', null)
    .execute();
}

async function createUploads(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'uploads')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('recording_id', text, (column) =>
      column.notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('stream', text, (column) => column.notNull())
    .addColumn('segment_index', integer, (column) => column.notNull())
    .addColumn('start_ms', integer, (column) => column.notNull())
    .addColumn('epoch', integer, (column) => column.notNull())
    .addColumn('size_bytes', integer)
    .addColumn('sha256', text)
    .addColumn('sealed_at', integer)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addUniqueConstraint('uploads_one_per_segment', ['recording_id', 'stream', 'segment_index'])
    .execute();
  await createTable(context, 'upload_capabilities')
    .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('recording_id', text, (column) =>
      column.notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();
  await context.transaction.schema
    .createIndex('upload_capabilities_recording')
    .on('upload_capabilities')
    .column('recording_id')
    .execute();
  await context.transaction.schema
    .createIndex('upload_capabilities_expiry')
    .on('upload_capabilities')
    .column('expires_at')
    .execute();
}

async function createPurgedRecordings(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'purged_recordings')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('purged_at', integer, (column) => column.notNull())
    .execute();
  await context.transaction.schema
    .createIndex('purged_recordings_owner')
    .on('purged_recordings')
    .column('owner_id')
    .execute();
}

async function createMarkers(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'markers')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('recording_id', text, (column) =>
      column.notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('at_ms', integer, (column) => column.notNull())
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('colour', text, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();
  const { schema } = context.transaction;
  await schema
    .createIndex('markers_recording_time')
    .on('markers')
    .columns(['recording_id', 'at_ms', 'id'])
    .execute();
  await schema.createIndex('markers_created_by').on('markers').column('created_by').execute();
}

/** Recordings, the uploads that carry their bytes, and their markers. */
export const recordingsMigration: Migration = {
  name: '0002-recordings',
  async up(context) {
    await createRecordings(context);
    await createUploads(context);
    await createPurgedRecordings(context);
    await createMarkers(context);
  },
};
