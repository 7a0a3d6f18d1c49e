import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Database } from '#server/storage/database/database.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { copySqliteTemplate } from '../support/database-templates.ts';

/** An embedded database for one test, where the database decides nothing. */
export async function freshDatabase(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-providers-'));
  const path = join(directory, 'earshot.db');
  await copySqliteTemplate(path);
  const database = await openSqliteDatabase({ path });
  onTestFinished(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  return database;
}
