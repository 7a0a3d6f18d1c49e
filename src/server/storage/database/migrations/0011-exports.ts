import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

const ofUser = 'users.id';

async function createTickets(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'export_tickets')
    .addColumn('ticket_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references(ofUser).onDelete('cascade'))
    .addColumn('recording_ids', text, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await context.transaction.schema
    .createIndex('export_tickets_owner')
    .on('export_tickets')
    .column('owner_id')
    .execute();
}

async function createAccountExports(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'account_exports')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references(ofUser).onDelete('cascade'))
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('size_bytes', integer, (column) => column.notNull())
    .addColumn('entry_count', integer, (column) => column.notNull())
    .addColumn('directory_offset', integer, (column) => column.notNull())
    .addColumn('directory_size', integer, (column) => column.notNull())
    .addColumn('recording_count', integer, (column) => column.notNull())
    .addColumn('left_out', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await context.transaction.schema
    .createIndex('account_exports_owner')
    .on('account_exports')
    .column('owner_id')
    .execute();
}

async function createEntries(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'account_export_entries')
    .addColumn('export_id', text, (column) =>
      column.notNull().references('account_exports.id').onDelete('cascade'),
    )
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('size_bytes', integer, (column) => column.notNull())
    .addColumn('crc32', integer, (column) => column.notNull())
    .addColumn('offset_bytes', integer, (column) => column.notNull())
    .addColumn('directory_bytes', integer, (column) => column.notNull())
    .addColumn('upload_id', text)
    .addColumn('blob_key', text)
    .addColumn('content', text)
    .addPrimaryKeyConstraint('account_export_entries_key', ['export_id', 'position'])
    .execute();
  const { schema } = context.transaction;
  await schema
    .createIndex('account_export_entries_offset')
    .on('account_export_entries')
    .columns(['export_id', 'offset_bytes'])
    .execute();
  await schema
    .createIndex('account_export_entries_directory')
    .on('account_export_entries')
    .columns(['export_id', 'directory_bytes'])
    .execute();
}

/**
 * Data for exporting recordings: tickets for ZIP files, the plan of an account's ZIP, and checksums of stored
 * uploads.
 */
export const exportsMigration: Migration = {
  name: '0011-exports',
  async up(context) {
    await createTickets(context);
    await createAccountExports(context);
    await createEntries(context);
    const { text, integer } = context.types;
    await createTable(context, 'upload_checksums')
      .addColumn('upload_id', text, (column) =>
        column.primaryKey().notNull().references('uploads.id').onDelete('cascade'),
      )
      .addColumn('crc32', integer, (column) => column.notNull())
      .execute();
  },
};
