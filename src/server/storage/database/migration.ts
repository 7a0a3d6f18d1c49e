import { sql, type Expression, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** The only two column types: text ordered by code point, and 64-bit integers. */
export interface ColumnTypes {
  text: Expression<unknown>;
  integer: Expression<unknown>;
}

export interface MigrationContext {
  transaction: Transaction<Schema>;
  dialect: Database['dialect'];
  types: ColumnTypes;
}

/** One migration. A released migration is never edited; a later one corrects it. */
export interface Migration {
  /** Orders the migrations and records that this one ran. */
  name: string;
  /**
   * The newest migration that the oldest code must know which works with the schema after this one. Servers with
   * that code may run beside newer ones, and may start again. By default only code that knows this migration works
   * with it.
   */
  oldestCode?: string;
  up(context: MigrationContext): Promise<void>;
}

/** Whether code whose newest migration is this one works with the schema after a later migration. */
export const isSupportedBy = (newestKnown: string, { name, oldestCode = name }: Migration): boolean =>
  oldestCode <= newestKnown;

const columnTypes: Record<Database['dialect'], ColumnTypes> = {
  sqlite: { text: sql`text`, integer: sql`integer` },
  // Without the collation, the order of text would depend on the cluster's locale and list pages would differ.
  postgres: { text: sql`text collate "C"`, integer: sql`bigint` },
};

/** The column types of one database. */
export const columnTypesOf = (dialect: Database['dialect']): ColumnTypes => columnTypes[dialect];

/** Starts a table. SQLite needs STRICT, because otherwise an integer column also accepts text. */
export function createTable(context: Pick<MigrationContext, 'transaction' | 'dialect'>, name: string) {
  const table = context.transaction.schema.createTable(name);
  return context.dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table;
}
