import type { Config } from '#server/config.ts';
import { openDatabase } from '#server/start/stores.ts';

/** Runs the pending migrations of the database, also while servers of the version before use it. Always returns 0. */
export async function migrateDatabase(config: Config): Promise<number> {
  const database = await openDatabase(config, { migrates: true });
  await database.close();
  process.stdout.write('The database is up to date.\n');
  return 0;
}
