import { sql } from 'kysely';
import type { Database } from '#server/storage/database/database.ts';
import { tablesHere } from '#server/storage/database/tables-here.ts';

const tableNames = async ({ queries, dialect }: Database): Promise<Set<string>> =>
  new Set((await tablesHere(queries, dialect)).map(({ name }) => name));

/** Whether the database has rows of the tables that a copy fills. */
export async function hasRows(database: Database, tables: readonly { name: string }[]): Promise<boolean> {
  const existing = await tableNames(database);
  for (const { name } of tables) {
    if (!existing.has(name)) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(database.queries);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Whether each table has as many rows as given. */
export async function hasAllRows(
  database: Database,
  tables: readonly { name: string; rowCount: number }[],
): Promise<boolean> {
  const existing = await tableNames(database);
  for (const { name, rowCount } of tables) {
    if (!existing.has(name)) return false;
    const { rows } = await sql<{
      count: number;
    }>`select count(*) as count from ${sql.table(name)}`.execute(database.queries);
    if (rows[0]?.count !== rowCount) return false;
  }
  return true;
}
