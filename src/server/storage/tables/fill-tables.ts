import { sql, type Transaction } from 'kysely';
import type { Database } from '#server/storage/database/database.ts';
import { allowLongStatements } from '#server/storage/database/long-statements.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type { Cell } from './read-table.ts';
import { hasCounts, type TableShape } from './table-shape.ts';
import { withoutIndexes } from './without-indexes.ts';
import { writeTable } from './write-table.ts';

/** The texts that count towards what a user stores. */
const countedTexts = [
  ['markers', 'label'],
  ['notes', 'text'],
] as const;

/**
 * In PostgreSQL, each batch of markers would change the rows of their recordings and of their user again, and a
 * transaction reads all versions of a row that it has changed: for a million markers, hours.
 */
async function setCounting(transaction: Transaction<Schema>, verb: 'enable' | 'disable'): Promise<void> {
  const triggers = sql.raw(`${verb} trigger`);
  for (const [table] of countedTexts)
    await sql`alter table ${sql.table(table)} ${triggers} user`.execute(transaction);
  await sql`alter table recordings ${triggers} recordings_counted_at_update`.execute(transaction);
}

/** Counts the texts of each recording as the triggers do. */
async function countTexts(transaction: Transaction<Schema>): Promise<void> {
  const counted = countedTexts.map(
    ([table, column]) =>
      sql`select recording_id, octet_length(${sql.ref(column)}) as n from ${sql.table(table)}`,
  );
  await sql`update recordings set text_bytes = counted.n
    from (select recording_id, sum(n) as n from (${sql.join(counted, sql` union all `)}) as texts group by recording_id) as counted
    where id = counted.recording_id`.execute(transaction);
}

async function countUsage(transaction: Transaction<Schema>): Promise<void> {
  await sql`insert into text_usage (user_id, text_bytes)
    select owner_id, sum(text_bytes) from recordings group by owner_id having sum(text_bytes) > 0`.execute(
    transaction,
  );
}

interface Filling<Table extends TableShape> {
  tables: readonly Table[];
  /** The rows of a table in batches, as `readTable` returns them. */
  rowsOf: (table: Table) => AsyncIterable<Cell[][]>;
}

async function writeAll<Table extends TableShape>(
  transaction: Transaction<Schema>,
  dialect: Database['dialect'],
  { tables, rowsOf }: Filling<Table>,
): Promise<void> {
  for (const table of tables) {
    let writing: Promise<void> = Promise.resolve();
    // The next batch is read while the database writes.
    for await (const rows of rowsOf(table)) {
      await writing;
      writing = writeTable(transaction, dialect, { table, rows });
      writing.catch(() => undefined);
    }
    await writing;
  }
}

/** What the triggers on these tables fill. */
const filledByTriggers = ['words_by_title', 'text_usage'];

/**
 * Fills empty tables, each after those that it references. What the database fills itself is there afterwards too.
 * Only PostgreSQL takes tables with counts, because it then counts nothing.
 * @throws an error of the database when a row violates a constraint
 */
export async function fillTables<Table extends TableShape>(
  transaction: Transaction<Schema>,
  dialect: Database['dialect'],
  filling: Filling<Table>,
): Promise<void> {
  if (dialect === 'sqlite') return writeAll(transaction, dialect, filling);
  await allowLongStatements(transaction, dialect);
  const names = filling.tables.map(({ name }) => name);
  await setCounting(transaction, 'disable');
  await withoutIndexes(transaction, [...names, ...filledByTriggers], async () => {
    await writeAll(transaction, dialect, filling);
    if (!filling.tables.some(hasCounts)) await countTexts(transaction);
    await countUsage(transaction);
  });
  await setCounting(transaction, 'enable');
}
