import type { DatabaseTime } from '#server/storage/database/database-time.ts';
import type { Queries } from '#server/storage/database/database.ts';

/** Whether a backup is running, which may still read every blob that its snapshot names. */
export async function isBackupRunning(queries: Queries, time: DatabaseTime): Promise<boolean> {
  const row = await queries
    .selectFrom('backups')
    .select('id')
    .where('state', '=', 'running')
    .where('lease_until', '>', time())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
