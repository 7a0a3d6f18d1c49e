import { sql } from 'kysely';
import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

async function createUsers(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'users')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('display_name', text, (column) => column.notNull())
    .addColumn('email', text)
    .addColumn('email_key', text, (column) => column.unique())
    .addColumn('locale', text)
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('disabled_at', integer)
    .execute();
}

async function createCredentials(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'credentials')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .execute();
  const { schema } = context.transaction;
  await schema.createIndex('credentials_user_kind').on('credentials').columns(['user_id', 'kind']).execute();
  await schema
    .createIndex('credentials_one_password')
    .unique()
    .on('credentials')
    .column('user_id')
    .where(sql<boolean>`kind = 'password'`)
    .execute();
}

async function createSessions(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'sessions')
    .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('last_seen_at', integer, (column) => column.notNull())
    .addColumn('idle_ms', integer, (column) => column.notNull())
    .addColumn('idle_expires_at', integer, (column) => column.notNull())
    .addColumn('absolute_expires_at', integer, (column) => column.notNull())
    .addColumn('auth_time', integer, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('ip_prefix', text, (column) => column.notNull())
    .execute();
  const { schema } = context.transaction;
  await schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  await schema.createIndex('sessions_idle_expiry').on('sessions').column('idle_expires_at').execute();
}

async function createAuditEvents(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'audit_events')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .addColumn('actor_id', text)
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('subject', text)
    .addColumn('ip_prefix', text, (column) => column.notNull())
    .addColumn('detail', text, (column) => column.notNull())
    .execute();
  await context.transaction.schema
    .createIndex('audit_events_time')
    .on('audit_events')
    .columns(['at', 'id'])
    .execute();
}

/** Users, their credentials, their sessions and the audit log. */
export const accountsMigration: Migration = {
  name: '0001-accounts',
  async up(context) {
    await createUsers(context);
    await createCredentials(context);
    await createSessions(context);
    await createAuditEvents(context);
  },
};
