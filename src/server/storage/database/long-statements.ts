import { sql } from 'kysely';
import type { Database, Queries } from './database.ts';

/** Lets the statements of one transaction take as long as they need. Only PostgreSQL limits them. */
export async function allowLongStatements(transaction: Queries, dialect: Database['dialect']): Promise<void> {
  if (dialect === 'postgres') await sql`set local statement_timeout = 0`.execute(transaction);
}
