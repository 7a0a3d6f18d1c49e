import { z } from 'zod';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import type { Cell } from '#server/storage/tables/read-table.ts';
import type { ColumnKind, TableShape } from '#server/storage/tables/table-shape.ts';
import type { BackupManifest } from './manifest.ts';
import { readLines } from './read-lines.ts';
import { keysOf } from './snapshots.ts';

const rowSchema = z.array(z.string().nullable());
const rowsAtOnce = 2000;

const isOfKind: Readonly<Record<ColumnKind, (cell: string) => boolean>> = {
  text: () => true,
  // The server reads all of its integers as numbers.
  integer: (cell) => /^-?\d{1,16}$/.test(cell) && Number.isSafeInteger(Number(cell)),
  bytes: (cell) => /^[\d+/A-Za-z]*={0,2}$/.test(cell),
};

const parserOf =
  ({ columns }: TableShape) =>
  (line: string): Cell[] => {
    const row = rowSchema.parse(JSON.parse(line));
    const isRow =
      row.length === columns.length &&
      columns.every(({ kind }, index) => row[index] === null || isOfKind[kind](row[index] ?? ''));
    if (!isRow) throw new SyntaxError('a row does not have the columns of its table');
    return row;
  };

/**
 * Reads the rows of a table of a snapshot in batches.
 * @throws BackupError when the file is not the one of the manifest, or has other columns
 */
export async function* tableRows(
  target: BackupTarget,
  id: string,
  table: BackupManifest['tables'][number],
): AsyncGenerator<Cell[][]> {
  let batch: Cell[][] = [];
  const options = { file: table.file, parse: parserOf(table) };
  for await (const row of readLines(target, keysOf(id).table(table.name), options)) {
    batch.push(row);
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
  table: BackupManifest['tables'][number],
): AsyncGenerator<Record<string, Cell>> {
  for await (const batch of tableRows(target, id, table))
    for (const row of batch)
      yield Object.fromEntries(table.columns.map((column, index) => [column.name, row[index] ?? null]));
}
