import { z } from 'zod';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import type { Cell } from '#server/storage/tables/read-table.ts';
import type { TableShape } from '#server/storage/tables/table-shape.ts';
import { unzippedLines } from './lines.ts';
import { keysOf } from './snapshots.ts';

const rowSchema = z.array(z.string().nullable());
const rowsAtOnce = 2000;

/** Reads the rows of a table of a snapshot in batches. */
export async function* tableRows(
  target: BackupTarget,
  id: string,
  { name }: Pick<TableShape, 'name'>,
): AsyncGenerator<Cell[][]> {
  let batch: Cell[][] = [];
  for await (const line of unzippedLines(target.read(keysOf(id).table(name)))) {
    batch.push(rowSchema.parse(JSON.parse(line)));
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Reads a table of a snapshot as objects. */
export async function* tableRecords(
  target: BackupTarget,
  id: string,
  table: TableShape,
): AsyncGenerator<Record<string, Cell>> {
  for await (const batch of tableRows(target, id, table))
    for (const row of batch)
      yield Object.fromEntries(table.columns.map((column, index) => [column.name, row[index] ?? null]));
}
