import { sql } from 'kysely';
import type { Queries } from '#server/storage/database/database.ts';
import type { Cell } from './read-table.ts';
import type { ColumnKind, TableShape } from './table-shape.ts';

/** The databases accept 32,766 parameters per statement, and tables have at most a few dozen columns. */
const rowsPerStatement = 100;

function valueOf(kind: ColumnKind, cell: Cell): string | number | bigint | Uint8Array | null {
  if (cell === null || kind === 'text') return cell;
  if (kind === 'bytes') return Buffer.from(cell, 'base64');
  const exact = BigInt(cell);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

/**
 * Inserts rows as `readTable` returns them. Triggers of the database run.
 * @throws an error of the database when a row violates a constraint
 */
export async function writeTable(
  queries: Queries,
  { name, columns }: TableShape,
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const values = rows
      .slice(from, from + rowsPerStatement)
      .map((row) => sql`(${sql.join(columns.map(({ kind }, index) => valueOf(kind, row[index] ?? null)))})`);
    await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(queries);
  }
}
