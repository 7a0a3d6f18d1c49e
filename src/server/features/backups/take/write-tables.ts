import type { Database } from '#server/storage/database/database.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { readTable } from '#server/storage/tables/read-table.ts';
import { isShortLived, type TableShape, tableShapesOf } from '#server/storage/tables/table-shape.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { compressed } from '#server/features/backups/format/lines.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { keysOf } from '#server/features/backups/format/snapshots.ts';
import { ranMigrations } from '#server/storage/database/migrate.ts';

const fingerprintFact = 'secret-key-fingerprint';

/** Returns the fingerprint of the secret key that the database belongs to; null before the first start. */
export async function keyFingerprintOf(queries: Queries): Promise<string | null> {
  const row = await queries
    .selectFrom('installation')
    .select('value')
    .where('name', '=', fingerprintFact)
    .executeTakeFirst();
  return row?.value ?? null;
}

async function writeOne(
  { target, id, signal }: { target: BackupTarget; id: string; signal: AbortSignal },
  batches: (table: TableShape) => AsyncIterable<unknown[]>,
  table: TableShape,
): Promise<BackupManifest['tables'][number]> {
  let rowCount = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const rows of batches(table)) {
      signal.throwIfAborted();
      rowCount += rows.length;
      for (const row of rows) yield JSON.stringify(row);
    }
  }
  const file = await target.write(keysOf(id).table(table.name), compressed(lines()));
  return { ...table, rowCount, file };
}

/** Writes every table, all of one moment. */
export function writeTables(
  database: Database,
  to: { target: BackupTarget; id: string; signal: AbortSignal },
): Promise<Pick<BackupManifest, 'tables' | 'migrations' | 'keyFingerprint'>> {
  return database.snapshot(async (queries) => {
    const tables: BackupManifest['tables'] = [];
    const shapes = await tableShapesOf(queries, database.dialect);
    for (const shape of shapes.filter((each) => !isShortLived(each)))
      tables.push(await writeOne(to, (table) => readTable(queries, database.dialect, table), shape));
    return {
      tables,
      migrations: await ranMigrations(queries),
      keyFingerprint: await keyFingerprintOf(queries),
    };
  });
}
