import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

async function createIdentities(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'identities')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('label', text)
    .addColumn('email', text)
    .addColumn('linked_at', integer, (column) => column.notNull())
    .addColumn('last_used_at', integer, (column) => column.notNull())
    .addUniqueConstraint('identities_subject', ['issuer', 'subject'])
    .execute();
  await context.transaction.schema
    .createIndex('identities_user')
    .on('identities')
    .column('user_id')
    .execute();
}

async function createFlows(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'oauth_flows')
    .addColumn('state_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('browser_hash', text, (column) => column.notNull())
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('intent', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('session_id', text)
    .addColumn('remember', integer, (column) => column.notNull())
    .addColumn('locale', text)
    .addColumn('return_to', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await context.transaction.schema
    .createIndex('oauth_flows_expiry')
    .on('oauth_flows')
    .column('expires_at')
    .execute();
}

async function createNotices(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'provider_notices')
    .addColumn('notice_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('received_at', integer, (column) => column.notNull())
    .execute();
}

/** Linked provider accounts, provider sign-ins in progress, and security events that providers sent. */
export const identitiesMigration: Migration = {
  name: '0005-identities',
  async up(context) {
    await context.transaction.schema
      .alterTable('users')
      .addColumn('email_verified_at', context.types.integer)
      .execute();
    await createIdentities(context);
    await createFlows(context);
    await createNotices(context);
  },
};
