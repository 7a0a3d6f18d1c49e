import { sql, type RawBuilder } from 'kysely';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { ColumnShape, TableShape } from './table-shape.ts';

/**
 * One value, exactly: text as it is, an integer in decimal digits of any length, bytes as base 64. The column's kind
 * says which.
 */
export type Cell = string | null;

const rowsAtOnce = 500;

/** Casting integers to text retains those beyond 2^53. */
const selected = ({ name, kind }: ColumnShape): RawBuilder<unknown> =>
  kind === 'integer' ? sql`cast(${sql.ref(name)} as text)` : sql.ref(name);

function cellOf(value: unknown): Cell {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  throw new TypeError(`a stored value is ${typeof value}, expected text or bytes`);
}

/** Streams rows in batches; SQLite's rows come one at a time. */
async function* sqliteRows(
  queries: Queries,
  { name, columns }: TableShape,
): AsyncGenerator<Record<string, unknown>[]> {
  const rows = queries
    .selectFrom(sql`${sql.table(name)}`.as('copied'))
    .select(columns.map((column, index) => selected(column).as(`c${index}`)))
    .orderBy(sql.ref(columns[0]?.name ?? 'rowid'))
    .stream(rowsAtOnce);
  let batch: Record<string, unknown>[] = [];
  for await (const row of rows) {
    batch.push(row as Record<string, unknown>);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function* postgresRows(
  queries: Queries,
  { name, columns }: TableShape,
): AsyncGenerator<Record<string, unknown>[]> {
  const list = sql.join(columns.map((column, index) => sql`${selected(column)} as ${sql.ref(`c${index}`)}`));
  await sql`declare copied no scroll cursor for select ${list} from ${sql.table(name)} order by ${sql.ref(columns[0]?.name ?? '')}`.execute(
    queries,
  );
  try {
    for (;;) {
      const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(rowsAtOnce)} from copied`.execute(
        queries,
      );
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    await sql`close copied`.execute(queries);
  }
}

/**
 * Reads a table in batches, ordered by its first column, in constant memory.
 * @param queries of `Database.snapshot`, because a cursor needs a transaction
 */
export async function* readTable(
  queries: Queries,
  dialect: Database['dialect'],
  table: TableShape,
): AsyncGenerator<Cell[][]> {
  const batches = dialect === 'sqlite' ? sqliteRows(queries, table) : postgresRows(queries, table);
  for await (const batch of batches)
    yield batch.map((row) => table.columns.map((_, index) => cellOf(row[`c${index}`])));
}
