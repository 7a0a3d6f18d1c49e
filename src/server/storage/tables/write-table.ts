import { sql, type RawBuilder } from 'kysely';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Cell } from './read-table.ts';
import type { ColumnKind, TableShape } from './table-shape.ts';

/** SQLite accepts 32,766 parameters per statement, and tables have at most a few dozen columns. */
const rowsPerStatement = 100;

function valueOf(kind: ColumnKind, cell: Cell): string | number | bigint | Uint8Array | null {
  if (cell === null || kind === 'text') return cell;
  if (kind === 'bytes') return Buffer.from(cell, 'base64');
  const exact = BigInt(cell);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

type Rows = readonly (readonly Cell[])[];

async function writeValues(queries: Queries, { name, columns }: TableShape, rows: Rows): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const values = rows
      .slice(from, from + rowsPerStatement)
      .map((row) => sql`(${sql.join(columns.map(({ kind }, index) => valueOf(kind, row[index] ?? null)))})`);
    await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(queries);
  }
}

/** PostgreSQL converts the text of integers. */
const postgresTypes: Readonly<Record<ColumnKind, RawBuilder<unknown>>> = {
  text: sql`text[]`,
  integer: sql`bigint[]`,
  bytes: sql`bytea[]`,
};

/** One array per column instead of one parameter per value: PostgreSQL takes half of the time. */
async function writeArrays(queries: Queries, { name, columns }: TableShape, rows: Rows): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  const arrays = columns.map(({ kind }, index) => {
    const cells = rows.map((row) => row[index] ?? null);
    const values = kind === 'bytes' ? cells.map((cell) => valueOf(kind, cell)) : cells;
    return sql`${sql.val(values)}::${postgresTypes[kind]}`;
  });
  await sql`insert into ${sql.table(name)} (${names}) select * from unnest(${sql.join(arrays)})`.execute(
    queries,
  );
}

/**
 * Inserts rows as `readTable` returns them, a few thousand at most. Triggers of the database run.
 * @throws an error of the database when a row violates a constraint
 */
export async function writeTable(
  queries: Queries,
  dialect: Database['dialect'],
  { table, rows }: { table: TableShape; rows: Rows },
): Promise<void> {
  if (rows.length === 0) return;
  await (dialect === 'sqlite' ? writeValues : writeArrays)(queries, table, rows);
}
