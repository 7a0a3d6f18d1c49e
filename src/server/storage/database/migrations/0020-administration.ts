import type { Migration } from '#server/storage/database/migration.ts';

/**
 * Announces administrators' changes to the account's owner, and records when a session last gave a strong proof.
 */
export const administrationMigration: Migration = {
  name: '0020-administration',
  async up({ transaction, types: { integer } }) {
    const { schema } = transaction;
    await schema.alterTable('sessions').addColumn('notices_seen_at', integer).execute();
    await schema.alterTable('sessions').addColumn('proven_at', integer).execute();
    await transaction
      .updateTable('sessions')
      .set((eb) => ({ proven_at: eb.ref('auth_time') }))
      .execute();
    await schema.alterTable('users').addColumn('notices_seen_at', integer).execute();
    await schema
      .alterTable('oauth_flows')
      .addColumn('is_set_up', integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await schema
      .createIndex('audit_events_subject')
      .on('audit_events')
      .columns(['subject', 'at', 'id'])
      .execute();
    await schema
      .createIndex('audit_events_actor')
      .on('audit_events')
      .columns(['actor_id', 'at', 'id'])
      .execute();
  },
};
