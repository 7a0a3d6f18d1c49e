import type { Migration } from '#server/storage/database/migration.ts';

/**
 * Unties the addresses of links for named users from accounts that have not proven theirs. These users ask for access
 * once. A server with earlier code still ties addresses of new links.
 */
export const provenListenersMigration: Migration = {
  name: '0089-proven-listeners',
  oldestCode: '0065-shares',
  async up({ transaction }) {
    await transaction
      .updateTable('share_people')
      .set({ user_id: null })
      .where('user_id', 'in', (eb) =>
        eb.selectFrom('users').select('users.id').where('users.email_verified_at', 'is', null),
      )
      .execute();
  },
};
