import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { minute, second } from '#base/duration.ts';
import { keyOfContent, type BackupTarget } from '#server/storage/backups/backup-target.ts';
import { BlobSpaceError, type BlobStore, sealedEpoch } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { Database } from '#server/storage/database/database.ts';
import { unknownMigrations } from '#server/storage/database/migrate.ts';
import { markTablesFilled } from '#server/storage/database/restore-marker.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { writeTable } from '#server/storage/tables/write-table.ts';
import { describingProblems, type FileProblem } from '#server/features/backups/check-backup.ts';
import type { BlobEntry } from '#server/features/backups/format/blob-entry.ts';
import { sumOfStream } from '#server/features/backups/format/lines.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { BackupError, blobsOf } from '#server/features/backups/format/snapshots.ts';
import { tableRows } from '#server/features/backups/format/table-files.ts';

const restoredAtOnce = 32;
/**
 * Larger blobs are written in pieces of this size, each of which is synced. A tail of this size is moved to an object
 * store at once, so that blobs that are written side by side never fill the space for tails.
 */
const pieceBytes = 5 * 1024 * 1024;
/** How long one write waits for an object store to take the bytes before it. */
const longestSpaceWaitMs = 5 * minute;

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

/** Gathers small pieces and cuts large ones, because each append waits for the disk. */
async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const bytes of source) {
    gathered.push(bytes);
    sizeBytes += bytes.byteLength;
    if (sizeBytes < pieceBytes) continue;
    yield Buffer.concat(gathered);
    [gathered, sizeBytes] = [[], 0];
  }
  if (sizeBytes > 0) yield Buffer.concat(gathered);
}

interface RestoreBlobsDeps {
  target: BackupTarget;
  blobs: BlobStore;
}

const storedSumOf = (blobs: BlobStore, key: string, sizeBytes: number) =>
  sumOfStream(blobs.stream(key, { startByte: 0, endByteExclusive: sizeBytes }));

/**
 * Writes, and tries again while the space for tails is full. On a disk no space becomes free by itself.
 * @throws BlobSpaceError after five minutes without space
 */
async function writeWhenFree<T>(blobs: BlobStore, write: () => Promise<T>): Promise<T> {
  for (const startedMs = performance.now(); ;) {
    try {
      return await write();
    } catch (error) {
      const mayGetFree = error instanceof BlobSpaceError && blobs.hasOtherWriters;
      if (!mayGetFree || performance.now() - startedMs > longestSpaceWaitMs) throw error;
    }
    await delay(second / 2);
  }
}

/** Writes one blob. Returns the hash of the bytes that the target has. */
async function copyContent(
  { target, blobs }: RestoreBlobsDeps,
  { key, from, sizeBytes }: { key: string; from: string; sizeBytes: number },
): Promise<string> {
  const hash = createHash('sha256');
  if (sizeBytes <= pieceBytes) {
    const bytes = await buffer(target.read(from));
    await writeWhenFree(blobs, () => blobs.put(key, bytes));
    return hash.update(bytes).digest('hex');
  }
  await blobs.remove(key);
  await blobs.create(key);
  let offsetBytes = 0;
  for await (const bytes of inPieces(target.read(from) as AsyncIterable<Uint8Array>)) {
    hash.update(bytes);
    const piece = { offsetBytes, bytes };
    offsetBytes = await writeWhenFree(blobs, () => blobs.append(key, piece));
  }
  return hash.digest('hex');
}

/** Writes one blob and compares its hash. Returns what is wrong with the file in the target, or null. */
async function restoreBlob(
  { target, blobs }: RestoreBlobsDeps,
  { key, sha256, sizeBytes, changedAtMs }: BlobEntry & { sha256: string },
): Promise<FileProblem | null> {
  const from = keyOfContent(sha256);
  if ((await target.sizeOf(from)) === null) return { key: from, problem: 'missing' };
  const head = await blobs.head(key);
  // An interrupted restore has written it before.
  const isThere =
    head?.sizeBytes === sizeBytes && (await storedSumOf(blobs, key, sizeBytes)).sha256 === sha256;
  const storedSha256 = isThere ? sha256 : await copyContent({ target, blobs }, { key, from, sizeBytes });
  // Only sealed blobs have no time. An object store then makes one object of each.
  if (changedAtMs === null && sizeBytes > 0) await blobs.fence(key, sealedEpoch);
  return storedSha256 === sha256 ? null : { key: from, problem: 'damaged' };
}

export interface RestoredBlobs {
  count: number;
  sizeBytes: number;
  problems: FileProblem[];
}

/**
 * Writes all blobs of a snapshot into the store. Repeatable: what is there already is compared and skipped.
 * @param options.skipDamaged goes on past files of the target that are missing or damaged
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

const linkRenditions = 'share_m4a';

/** Renditions of links are not in a backup: the next request makes them again. */
async function forgetLinkRenditions(transaction: Transaction<Schema>): Promise<void> {
  await sql`update recordings set stored_bytes = stored_bytes - (
      select coalesce(sum(m.size_bytes), 0) from share_m4a as m join shares as s on s.id = m.share_id where s.recording_id = recordings.id
    ) where id in (select s.recording_id from share_m4a as m join shares as s on s.id = m.share_id where m.size_bytes > 0)`.execute(
    transaction,
  );
  await transaction.deleteFrom('share_m4a').execute();
}

const tableNames = async ({ queries }: Database): Promise<Set<string>> =>
  new Set((await queries.introspection.getTables()).map(({ name }) => name));

/** Whether the database has rows of the tables that a restore fills. */
export async function hasRows(database: Database, manifest: BackupManifest): Promise<boolean> {
  const existing = await tableNames(database);
  for (const { name } of manifest.tables) {
    if (!existing.has(name)) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(database.queries);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Whether each table has as many rows as the manifest says, so that the backup was restored into the database. */
export async function hasAllRows(database: Database, manifest: BackupManifest): Promise<boolean> {
  const existing = await tableNames(database);
  for (const { name, rowCount } of manifest.tables) {
    if (name === linkRenditions) continue;
    if (!existing.has(name)) return false;
    const { rows } = await sql<{
      count: number;
    }>`select count(*) as count from ${sql.table(name)}`.execute(database.queries);
    if (rows[0]?.count !== rowCount) return false;
  }
  return true;
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
    for (const table of manifest.tables) {
      let rowCount = 0;
      for await (const rows of tableRows(target, manifest.id, table)) {
        rowCount += rows.length;
        await writeTable(transaction, table, rows);
      }
      if (rowCount !== table.rowCount)
        throw new BackupError(
          `The table ${table.name} of the backup ${manifest.id} has ${rowCount} rows, but its manifest says ${table.rowCount}: choose another backup with --snapshot.`,
        );
    }
    if (manifest.tables.some(({ name }) => name === linkRenditions)) await forgetLinkRenditions(transaction);
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
    const head = await blobs.head(key);
    if (head?.sizeBytes !== sizeBytes || (await storedSumOf(blobs, key, sizeBytes)).sha256 !== sha256)
      yield key;
  }
}
