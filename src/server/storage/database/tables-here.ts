import { sql, type TableMetadata } from 'kysely';
import type { Database, Queries } from './database.ts';

/** Returns the tables and views in the schema where the migrations create theirs. */
export async function tablesHere(queries: Queries, dialect: Database['dialect']): Promise<TableMetadata[]> {
  const tables = await queries.introspection.getTables({ withInternalKyselyTables: true });
  if (dialect === 'sqlite') return tables;
  const { rows } = await sql<{ here: string | null }>`select current_schema() as here`.execute(queries);
  return tables.filter(({ schema }) => schema === rows[0]?.here);
}
