import { keyOfContent, type BackupTarget } from '#server/storage/backups/backup-target.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { Database } from '#server/storage/database/database.ts';
import { unknownMigrations } from '#server/storage/database/migrate.ts';
import { markTablesFilled } from '#server/storage/database/restore-marker.ts';
import { fillTables } from '#server/storage/tables/fill-tables.ts';
import type { Cell } from '#server/storage/tables/read-table.ts';
import { isShortLived } from '#server/storage/tables/table-shape.ts';
import { forgetLinkRenditions, isOfLinkRenditions } from '#server/features/backups/copy/link-renditions.ts';
import { hasContent, sealBlob, writeBlob } from '#server/features/backups/copy/write-blob.ts';
import { describingProblems, type FileProblem } from '#server/features/backups/check-backup.ts';
import type { BlobEntry } from '#server/features/backups/format/blob-entry.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { BackupError, blobsOf } from '#server/features/backups/format/snapshots.ts';
import { tableRows } from '#server/features/backups/format/table-files.ts';

const restoredAtOnce = 32;
const described = ({ name }: BackupTarget, { key, problem }: FileProblem): string =>
  problem === 'missing' ? `${name}/${key} is missing` : `${name}/${key} is damaged`;

/**
 * Checks that this version can restore a snapshot, and reads the files of its tables back.
 * @throws BackupError when it can't
 */
export async function assertRestorable(target: BackupTarget, manifest: BackupManifest): Promise<void> {
  const unknown = unknownMigrations(manifest.migrations);
  if (unknown.length > 0)
    throw new BackupError(
      `The backup ${manifest.id} was made by Earshot ${manifest.version}, which is newer than this version (its database has ${unknown.join(', ')}): restore it with that version or a later one.`,
    );
  for await (const problem of describingProblems(target, manifest))
    throw new BackupError(`${described(target, problem)}: choose another backup with --snapshot.`);
}

interface RestoreBlobsDeps {
  target: BackupTarget;
  blobs: BlobStore;
}

/** Writes one blob and compares its hash. Returns what is wrong with the file in the target, or null. */
async function restoreBlob(
  { target, blobs }: RestoreBlobsDeps,
  { key, sha256, sizeBytes, changedAtMs }: BlobEntry & { sha256: string },
): Promise<FileProblem | null> {
  const from = keyOfContent(sha256);
  if ((await target.sizeOf(from)) === null) return { key: from, problem: 'missing' };
  // An interrupted restore has written it before.
  const isThere = await hasContent(blobs, { key, sizeBytes, sha256 });
  const storedSha256 = isThere
    ? sha256
    : await writeBlob(blobs, { key, sizeBytes, source: target.read(from) as AsyncIterable<Uint8Array> });
  // Only sealed blobs have no time.
  if (changedAtMs === null) await sealBlob(blobs, { key, sizeBytes });
  return storedSha256 === sha256 ? null : { key: from, problem: 'damaged' };
}

export interface RestoredBlobs {
  count: number;
  sizeBytes: number;
  problems: FileProblem[];
}

/**
 * Writes all blobs of a snapshot into the store. Repeatable: what is there already is compared and skipped.
 * @param options.skipDamaged skips files of the target that are missing or damaged
 * @throws BackupError at the first such file otherwise
 */
export async function restoreBlobs(
  deps: RestoreBlobsDeps,
  manifest: BackupManifest,
  { skipDamaged }: { skipDamaged: boolean },
): Promise<RestoredBlobs> {
  const restored: RestoredBlobs = { count: 0, sizeBytes: 0, problems: [] };
  const restoreBatch = async (batch: readonly BlobEntry[]): Promise<void> => {
    const problems = await mapInBatches(batch, (entry) => {
      const { sha256 } = entry;
      return sha256 === null ? Promise.resolve(null) : restoreBlob(deps, { ...entry, sha256 });
    });
    for (const [index, { key, sizeBytes }] of batch.entries()) {
      const problem = problems[index] ?? null;
      if (problem !== null && !skipDamaged)
        throw new BackupError(
          `${described(deps.target, problem)} (${key}): choose another backup with --snapshot, or continue without such files with --skip-damaged.`,
        );
      if (problem !== null) restored.problems.push(problem);
      restored.count += 1;
      restored.sizeBytes += sizeBytes;
    }
  };
  let batch: BlobEntry[] = [];
  for await (const entry of blobsOf(deps.target, manifest.id)) {
    batch.push(entry);
    if (batch.length < restoredAtOnce) continue;
    await restoreBatch(batch);
    batch = [];
  }
  await restoreBatch(batch);
  return restored;
}

/** @throws BackupError when a file has fewer or more rows than the manifest says */
async function* countedRows(
  target: BackupTarget,
  { id }: BackupManifest,
  table: BackupManifest['tables'][number],
): AsyncGenerator<Cell[][]> {
  let rowCount = 0;
  for await (const rows of tableRows(target, id, table)) {
    rowCount += rows.length;
    yield rows;
  }
  if (rowCount !== table.rowCount)
    throw new BackupError(
      `The table ${table.name} of the backup ${id} has ${rowCount} rows, but its manifest says ${table.rowCount}: choose another backup with --snapshot.`,
    );
}

/**
 * Fills an empty database that has exactly the migrations of the snapshot and the marker of an unfinished restore, in
 * one transaction, which notes in the marker that it is filled.
 * @throws BackupError when a file has fewer or more rows than the manifest says
 */
export async function restoreTables(
  database: Database,
  target: BackupTarget,
  manifest: BackupManifest,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await fillTables(transaction, database.dialect, {
      // Backups of earlier versions have short-lived tables, too.
      tables: manifest.tables.filter((table) => !isShortLived(table)),
      rowsOf: (table) => countedRows(target, manifest, table),
    });
    if (manifest.tables.some(({ name }) => isOfLinkRenditions(name))) await forgetLinkRenditions(transaction);
    await markTablesFilled(transaction);
  });
}

/** Reads all blobs of a restored snapshot back, and yields the keys of those that differ. */
export async function* differingBlobs(
  { target, blobs }: RestoreBlobsDeps,
  manifest: BackupManifest,
): AsyncGenerator<string> {
  for await (const { key, sha256, sizeBytes } of blobsOf(target, manifest.id)) {
    if (sha256 === null) continue;
    if (!(await hasContent(blobs, { key, sizeBytes, sha256 }))) yield key;
  }
}
