import { sql } from 'kysely';
import type { Database } from '#server/storage/database/database.ts';

/** Returns the version of the database and how long it took to answer. */
export async function readDatabaseServer({
  dialect,
  queries,
}: Database): Promise<{ version: string; latencyMs: number }> {
  const askedAt = performance.now();
  const { rows } = await (
    dialect === 'sqlite'
      ? sql<{ version: string }>`select sqlite_version() as version`
      : sql<{ version: string }>`select current_setting('server_version') as version`
  ).execute(queries);
  const latencyMs = Math.ceil(performance.now() - askedAt);
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not return its version');
  return { version: row.version, latencyMs };
}

/** Returns the size of the database with its indexes, without its log. */
export async function readDatabaseSize({ dialect, queries }: Database): Promise<number> {
  const { rows } = await (
    dialect === 'sqlite'
      ? sql<{
          size: number;
        }>`select page_count * page_size as size from pragma_page_count(), pragma_page_size()`
      : sql<{ size: number }>`select pg_database_size(current_database()) as size`
  ).execute(queries);
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not return its size');
  return row.size;
}
