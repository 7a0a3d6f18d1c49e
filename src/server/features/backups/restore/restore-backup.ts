import { codeOf } from '#base/errors/code-of.ts';
import { keyOfContent, type BackupTarget } from '#server/storage/backups/backup-target.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { Database } from '#server/storage/database/database.ts';
import { areFirstMigrations, unknownMigrations } from '#server/storage/database/migrate.ts';
import { markTablesFilled } from '#server/storage/database/restore-marker.ts';
import { fillTables } from '#server/storage/tables/fill-tables.ts';
import type { Cell } from '#server/storage/tables/read-table.ts';
import { isLeftOut, isShortLived, tableShapesOf } from '#server/storage/tables/table-shape.ts';
import { forgetLinkRenditions, isOfLinkRenditions } from '#server/features/backups/copy/link-renditions.ts';
import { hasContent, sealBlob, writeBlob } from '#server/features/backups/copy/write-blob.ts';
import { describingProblems, fileProblemOf } from '#server/features/backups/check-backup.ts';
import { type BlobEntry, contentsOf } from '#server/features/backups/format/blob-entry.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { type FileProblem, problemText } from '#server/features/backups/format/read-lines.ts';
import { printable, type FileSum } from '#server/features/backups/format/values.ts';
import { BackupError } from '#server/features/backups/format/backup-error.ts';
import { blobsOf } from '#server/features/backups/format/snapshots.ts';
import { tableRows } from '#server/features/backups/format/table-files.ts';

const restoredAtOnce = 32;

/**
 * Checks that this version can restore a snapshot, and reads the files of its tables back.
 * @throws BackupError when it can't
 */
export async function assertRestorable(target: BackupTarget, manifest: BackupManifest): Promise<void> {
  const unknown = unknownMigrations(manifest.migrations);
  if (unknown.length > 0)
    throw new BackupError(
      `The backup ${manifest.id} was made by Earshot ${printable(manifest.version)}, which is newer than this version (its database has ${printable(unknown.join(', '))}): restore it with that version or a later one.`,
    );
  if (!areFirstMigrations(manifest.migrations))
    throw new BackupError(
      `The backup ${manifest.id} names migrations that no version of Earshot ran in this order: choose another backup with --snapshot.`,
    );
  for await (const problem of describingProblems(target, manifest))
    throw new BackupError(`${problemText(target, problem)}: choose another backup with --snapshot.`);
}

interface RestoreBlobsDeps {
  target: BackupTarget;
  blobs: BlobStore;
}

/** Reads contents one after another. */
async function* bytesOf(target: BackupTarget, contents: readonly FileSum[]): AsyncGenerator<Uint8Array> {
  for (const { sha256 } of contents) yield* target.read(keyOfContent(sha256)) as AsyncIterable<Uint8Array>;
}

/** Writes one blob and compares its hash. Returns what is wrong with the file in the target, or null. */
async function restoreBlob(
  { target, blobs }: RestoreBlobsDeps,
  { key, sha256, sizeBytes, changedAtMs, chunks }: BlobEntry & { sha256: string },
): Promise<FileProblem | null> {
  const contents = contentsOf({ sha256, sizeBytes, ...(chunks === undefined ? {} : { chunks }) });
  for (const content of contents) {
    const from = keyOfContent(content.sha256);
    const storedBytes = await target.sizeOf(from);
    if (storedBytes !== content.sizeBytes)
      return { key: from, problem: storedBytes === null ? 'missing' : 'damaged' };
  }
  // An interrupted restore has written it before.
  const isThere = await hasContent(blobs, { key, sizeBytes, sha256 });
  const storedSha256 = isThere
    ? sha256
    : await writeBlob(blobs, { key, sizeBytes, source: bytesOf(target, contents) });
  // Only sealed blobs have no time.
  if (changedAtMs === null) await sealBlob(blobs, { key, sizeBytes });
  if (storedSha256 === sha256) return null;
  for (const content of contents) {
    const problem = await fileProblemOf(target, keyOfContent(content.sha256), content);
    if (problem !== null) return problem;
  }
  return { key: keyOfContent(sha256), problem: 'damaged' };
}

export interface RestoredBlobs {
  count: number;
  sizeBytes: number;
  problems: FileProblem[];
}

const contradiction = ({ id }: BackupManifest): BackupError =>
  new BackupError(
    `The backup ${id} names files twice, or other files than its manifest counts: choose another backup with --snapshot.`,
  );

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
    if (new Set(batch.map(({ key }) => key)).size < batch.length) throw contradiction(manifest);
    const problems = await mapInBatches(batch, (entry) => {
      const { sha256 } = entry;
      return sha256 === null ? Promise.resolve(null) : restoreBlob(deps, { ...entry, sha256 });
    });
    for (const [index, { key, sizeBytes }] of batch.entries()) {
      const problem = problems[index] ?? null;
      if (problem !== null && !skipDamaged)
        throw new BackupError(
          `${problemText(deps.target, problem)} (${key}): choose another backup with --snapshot, or continue without such files with --skip-damaged.`,
        );
      if (problem !== null) restored.problems.push(problem);
      restored.count += 1;
      restored.sizeBytes += sizeBytes;
    }
  };
  let batch: BlobEntry[] = [];
  for await (const entry of blobsOf(deps.target, manifest)) {
    batch.push(entry);
    if (batch.length < restoredAtOnce) continue;
    await restoreBatch(batch);
    batch = [];
  }
  await restoreBatch(batch);
  if (restored.count !== manifest.blobs.count || restored.sizeBytes !== manifest.blobs.sizeBytes)
    throw contradiction(manifest);
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

/** The tables of a snapshot that a restore fills. Backups of earlier versions have more. */
export const restoredTables = ({ tables }: BackupManifest): BackupManifest['tables'] =>
  tables.filter((table) => !isShortLived(table) && !isLeftOut(table));

/** @throws BackupError when a table or a column is none of the database, or has another type */
async function assertColumns(
  { queries, dialect }: Database,
  { id }: BackupManifest,
  tables: BackupManifest['tables'],
): Promise<void> {
  const shapes = await tableShapesOf(queries, dialect, { withCounts: true });
  for (const { name, columns } of tables) {
    const shape = shapes.find((each) => each.name === name);
    const unknown = columns.find(
      (column) => !shape?.columns.some((each) => each.name === column.name && each.kind === column.kind),
    );
    if (shape === undefined || unknown !== undefined || hasTwice(columns.map((column) => column.name)))
      throw new BackupError(
        `The table ${name} of the backup ${id} is none of this version's: choose another backup with --snapshot.`,
      );
  }
}

const hasTwice = (names: readonly string[]): boolean => new Set(names).size < names.length;

/** SQLite's primary result codes of values that a table rejects: too big, constraint, mismatch. */
const rejectionCodes: ReadonlySet<number> = new Set([18, 19, 20]);

/** Whether the database rejected a row, and not the whole statement or connection. */
function isRowRejection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number')
    return rejectionCodes.has(error.errcode & 0xff);
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: data exceptions, integrity constraints.
  return /^2[23][\dA-Z]{3}$/.test(codeOf(error));
}

/**
 * Fills an empty database that has exactly the migrations of the snapshot and the marker of an unfinished restore, in
 * one transaction, which notes in the marker that it is filled.
 * @throws BackupError when a file has fewer or more rows than the manifest says, or the database rejects one
 */
export async function restoreTables(
  database: Database,
  target: BackupTarget,
  manifest: BackupManifest,
): Promise<void> {
  const tables = restoredTables(manifest);
  await assertColumns(database, manifest, tables);
  const filled = database.transaction(async (transaction) => {
    await fillTables(transaction, database.dialect, {
      tables,
      rowsOf: (table) => countedRows(target, manifest, table),
    });
    if (manifest.tables.some(({ name }) => isOfLinkRenditions(name))) await forgetLinkRenditions(transaction);
    await markTablesFilled(transaction);
  });
  await filled.catch((error: unknown) => {
    if (!isRowRejection(error)) throw error;
    throw new BackupError(
      `The database does not accept the rows of the backup ${manifest.id} (${printable((error as Error).message)}): choose another backup with --snapshot.`,
      { cause: error },
    );
  });
}

/** Reads all blobs of a restored snapshot back, and yields the keys of those that differ. */
export async function* differingBlobs(
  { target, blobs }: RestoreBlobsDeps,
  manifest: BackupManifest,
): AsyncGenerator<string> {
  for await (const { key, sha256, sizeBytes } of blobsOf(target, manifest)) {
    if (sha256 === null) continue;
    if (!(await hasContent(blobs, { key, sizeBytes, sha256 }))) yield key;
  }
}
