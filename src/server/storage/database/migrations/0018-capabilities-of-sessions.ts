import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

/**
 * Binds an upload capability to the session that requested it. Earlier capabilities have no session: they end at
 * the next password change.
 */
async function bindCapabilities({
  transaction: { schema },
  types: { text },
}: MigrationContext): Promise<void> {
  await schema.alterTable('upload_capabilities').addColumn('session_id', text).execute();
  await schema
    .alterTable('upload_capabilities')
    .addColumn('device_label', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await schema
    .createIndex('upload_capabilities_session')
    .on('upload_capabilities')
    .column('session_id')
    .execute();
}

async function createHistory(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'recording_changes')
    .addColumn('recording_id', text, (column) =>
      column.notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('device_label', text, (column) => column.notNull())
    .addColumn('from_ms', integer)
    .addColumn('duration_ms', integer)
    .addColumn('count', integer)
    .addPrimaryKeyConstraint('recording_changes_key', ['recording_id', 'position'])
    .execute();
}

/** Binds upload capabilities to sessions, and records changes to finished recordings. */
export const capabilitiesOfSessionsMigration: Migration = {
  name: '0018-capabilities-of-sessions',
  async up(context) {
    await bindCapabilities(context);
    await createHistory(context);
  },
};
