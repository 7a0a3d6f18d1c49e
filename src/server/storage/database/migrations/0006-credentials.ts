import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

const ofUser = 'users.id';

async function createPasskeys(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'passkeys')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('user_id', text, (column) => column.notNull().references(ofUser).onDelete('cascade'))
    .addColumn('credential_id', text, (column) => column.notNull().unique())
    .addColumn('public_key', text, (column) => column.notNull())
    .addColumn('counter', integer, (column) => column.notNull())
    .addColumn('transports', text, (column) => column.notNull())
    .addColumn('aaguid', text, (column) => column.notNull())
    .addColumn('backed_up', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('last_used_at', integer)
    .execute();
  await context.transaction.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute();
}

async function createSecondFactors(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'totp')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().notNull().references(ofUser).onDelete('cascade'),
    )
    .addColumn('sealed_secret', text, (column) => column.notNull())
    .addColumn('last_step', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();
  await createTable(context, 'recovery_codes')
    .addColumn('user_id', text, (column) => column.notNull().references(ofUser).onDelete('cascade'))
    .addColumn('code_hash', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'code_hash'])
    .execute();
}

async function createFlows(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'auth_flows')
    .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.references(ofUser).onDelete('cascade'))
    .addColumn('browser_hash', text, (column) => column.notNull())
    .addColumn('email_key_hash', text)
    .addColumn('code_hash', text)
    .addColumn('tries_left', integer, (column) => column.notNull())
    .addColumn('sealed_data', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  await createTable(context, 'link_tokens')
    .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull().references(ofUser).onDelete('cascade'))
    .addColumn('sealed_data', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  const { schema } = context.transaction;
  await schema.createIndex('auth_flows_user').on('auth_flows').columns(['user_id', 'kind']).execute();
  await schema.createIndex('auth_flows_email').on('auth_flows').column('email_key_hash').execute();
  await schema.createIndex('auth_flows_expiry').on('auth_flows').column('expires_at').execute();
  await schema.createIndex('link_tokens_user').on('link_tokens').columns(['user_id', 'kind']).execute();
}

async function createCounters(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'login_failures')
    .addColumn('account_key', text, (column) => column.primaryKey().notNull())
    .addColumn('failures', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .execute();
  await createTable(context, 'departed_users')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().notNull().references(ofUser).onDelete('cascade'),
    )
    .addColumn('left_at', integer, (column) => column.notNull())
    .execute();
  await createTable(context, 'idempotency_keys')
    .addColumn('principal', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('request_hash', text, (column) => column.notNull())
    .addColumn('status', integer)
    .addColumn('reply', text)
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['principal', 'key_hash'])
    .execute();
}

/** Passkeys, second factors, steps in progress, sent links, and the data for throttling guesses. */
export const credentialsMigration: Migration = {
  name: '0006-credentials',
  async up(context) {
    await context.transaction.schema
      .alterTable('sessions')
      .addColumn('second_factor_at', context.types.integer)
      .execute();
    await createPasskeys(context);
    await createSecondFactors(context);
    await createFlows(context);
    await createCounters(context);
  },
};
