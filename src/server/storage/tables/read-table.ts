import { sql, type RawBuilder } from 'kysely';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { readingOrderOf, type ColumnShape, type TableShape } from './table-shape.ts';

/**
 * One value, exactly: text as it is, an integer in decimal digits of any length, bytes as base 64. The column's kind
 * says which.
 */
export type Cell = string | null;

const rowsAtOnce = 2000;

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
async function* sqliteRows(queries: Queries, table: TableShape): AsyncGenerator<Record<string, unknown>[]> {
  const { name, columns } = table;
  const rows = queries
    .selectFrom(sql`${sql.table(name)}`.as('copied'))
    .select(columns.map((column, index) => selected(column).as(`c${index}`)))
    .orderBy(sql.ref(readingOrderOf(table)))
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

async function* postgresRows(queries: Queries, table: TableShape): AsyncGenerator<Record<string, unknown>[]> {
  const { name, columns } = table;
  const list = sql.join(columns.map((column, index) => sql`${selected(column)} as ${sql.ref(`c${index}`)}`));
  await sql`declare copied no scroll cursor for select ${list} from ${sql.table(name)} order by ${sql.ref(readingOrderOf(table))}`.execute(
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
 * Reads a table in batches, ordered by `readingOrderOf`, in constant memory.
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

/**
 * Reads the rows whose first column, a unique text, follows `after`, in its order, 500 at most. Unlike `readTable` it
 * holds no snapshot, which would stop the database from removing old rows for as long as the caller works.
 */
export async function readRowsAfter(
  queries: Queries,
  { name, columns }: TableShape,
  after: string,
): Promise<Record<string, Cell>[]> {
  const key = sql.ref(columns[0]?.name ?? '');
  const list = sql.join(columns.map((column, index) => sql`${selected(column)} as ${sql.ref(`c${index}`)}`));
  const { rows } = await sql<Record<string, unknown>>`select ${list} from ${sql.table(name)}
    where ${key} > ${after} order by ${key} limit 500`.execute(queries);
  return rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column.name, cellOf(row[`c${index}`])])),
  );
}
