import { sql } from 'kysely';
import type { Database, Queries } from './database.ts';

/** Whether a table exists. Takes one query, unlike `tablesHere`, which describes every table. */
export async function hasTable(
  queries: Queries,
  dialect: Database['dialect'],
  name: string,
): Promise<boolean> {
  const query =
    dialect === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
      : sql`select 1 where to_regclass(${name}) is not null`;
  return (await query.execute(queries)).rows.length > 0;
}
