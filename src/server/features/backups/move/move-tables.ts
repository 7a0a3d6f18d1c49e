import { hash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { BackupError } from '#server/features/backups/format/backup-error.ts';
import { forgetLinkRenditions } from '#server/features/backups/copy/link-renditions.ts';
import type { Database } from '#server/storage/database/database.ts';
import { markTablesFilled } from '#server/storage/database/restore-marker.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { fillTables } from '#server/storage/tables/fill-tables.ts';
import { type Cell, readTable } from '#server/storage/tables/read-table.ts';
import { type TableShape, tableShapesOf } from '#server/storage/tables/table-shape.ts';

/** Counts rows and adds up their hashes, in whatever order they come. */
class TableSum {
  count = 0;
  /** The eight words of the hashes, added up without a carry. */
  readonly #sums = new Uint32Array(8);

  add(rows: readonly (readonly Cell[])[]): void {
    this.count += rows.length;
    for (const row of rows) {
      const bytes = hash('sha256', JSON.stringify(row), 'buffer');
      for (let word = 0; word < 8; word += 1)
        this.#sums[word] = (this.#sums[word] ?? 0) + bytes.readUInt32LE(word * 4);
    }
  }

  equals(other: TableSum): boolean {
    return this.count === other.count && this.#sums.every((sum, word) => sum === other.#sums[word]);
  }
}

/** Reads the tables back, with the columns in the order of the source, and compares them. */
async function compare(
  transaction: Transaction<Schema>,
  dialect: Database['dialect'],
  sums: ReadonlyMap<TableShape, TableSum>,
): Promise<void> {
  for (const [table, expected] of sums) {
    const found = new TableSum();
    for await (const rows of readTable(transaction, dialect, table)) found.add(rows);
    if (!found.equals(expected))
      throw new BackupError(
        `The table ${table.name} has ${found.count} rows in the new database and ${expected.count} in the old one, or different ones: nothing was changed there. Run the command again, and report this.`,
      );
  }
}

/**
 * Copies all tables into a PostgreSQL database with the same schema, in one transaction, which compares the count and the hash
 * of each table, and notes in the marker of the unfinished restore that they are filled.
 * @param options.replaces whether to delete what an earlier attempt has copied
 * @returns the number of rows
 * @throws BackupError when a table differs afterwards
 */
export function moveTables(
  from: Database,
  to: Database,
  { replaces }: { replaces: boolean },
): Promise<number> {
  return to.transaction((transaction) =>
    from.snapshot(async (queries) => {
      const tables = await tableShapesOf(queries, from.dialect, { withCounts: true });
      if (replaces)
        await sql`truncate ${sql.join([...tables.map(({ name }) => name), 'words_by_title', 'text_usage'].map((name) => sql.table(name)))}`.execute(
          transaction,
        );
      const sums = new Map<TableShape, TableSum>(tables.map((table) => [table, new TableSum()]));
      await fillTables(transaction, to.dialect, {
        tables,
        rowsOf: async function* (table) {
          for await (const rows of readTable(queries, from.dialect, table)) {
            sums.get(table)?.add(rows);
            yield rows;
          }
        },
      });
      await compare(transaction, to.dialect, sums);
      await forgetLinkRenditions(transaction);
      await markTablesFilled(transaction);
      return [...sums.values()].reduce((all, { count }) => all + count, 0);
    }),
  );
}
