import { sql } from 'kysely';
import type { Migration } from '#server/storage/database/migration.ts';

/** Two processes that start a backup at the same moment on PostgreSQL don't see each other's row. */
export const oneBackupAtATimeMigration: Migration = {
  name: '0077-one-backup-at-a-time',
  oldestCode: '0074-backups',
  async up({ transaction }) {
    // The newest one, which may be running, goes on.
    await sql`update backups set state = 'failed', ended_at = started_at, error = 'Another backup started at the same time.'
      where state = 'running' and id <> (select id from backups where state = 'running' order by started_at desc, id limit 1)`.execute(
      transaction,
    );
    await sql`create unique index one_running_backup on backups (state) where state = 'running'`.execute(
      transaction,
    );
  },
};
