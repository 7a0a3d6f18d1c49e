import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import type { BackupManifest, Snapshot } from '#server/features/backups/format/manifest.ts';
import { manifestSealOf } from '#server/features/backups/format/manifest-seal.ts';
import { chosenSnapshot, readSecretKey } from '#server/features/backups/format/snapshots.ts';
import { isOfLinkRenditions } from '#server/features/backups/copy/link-renditions.ts';
import {
  assertRestorable,
  differingBlobs,
  restoreBlobs,
  restoreTables,
  restoredTables,
  type RestoredBlobs,
} from '#server/features/backups/restore/restore-backup.ts';
import { rejectOtherBucket } from '#server/start/lost-database.ts';
import { explainFiles } from '#server/start/explain/explain-files.ts';
import { explained } from '#server/start-error.ts';
import { closeAll } from '#server/start/close-all.ts';
import { openTargetToRead, withBackups } from '#server/start/backup-targets.ts';
import {
  assertEmptyPlace,
  assertSpace,
  databaseNotEmpty,
  markRestoreStarted,
  missingKey,
  otherRestoreUnfinished,
  removeRestoreFile,
  writeKey,
} from '#server/start/restore-place.ts';
import { lockDatabase, lockDataDir, openBlobs, openDatabase, withDatabase } from '#server/start/stores.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { ranMigrations } from '#server/storage/database/migrate.ts';
import {
  createRestoreMarker,
  readRestoreMarker,
  removeRestoreMarker,
} from '#server/storage/database/restore-marker.ts';
import { renewLineage } from '#server/storage/rows/backup-lineage.ts';
import { parseStorageUrl } from '#server/storage/blobs/storage-url.ts';
import { hasAllRows, hasRows } from '#server/storage/tables/has-rows.ts';
import { tableShapesOf } from '#server/storage/tables/table-shape.ts';
import { findSecretKey } from '#server/secret-key.ts';
import { authenticityText } from './authenticity-text.ts';
import { sizeText } from './size-text.ts';

export interface RestoreOptions {
  from: string;
  /** The id of a backup; undefined: the newest. */
  snapshot: string | undefined;
  /** Whether to read everything back in the end. */
  verifies: boolean;
  /** Whether to skip files of the backup that are missing or damaged. */
  skipDamaged: boolean;
}

interface Restore {
  config: Config;
  target: BackupTarget;
  manifest: Snapshot;
  skipDamaged: boolean;
}

const hasAnyRows = async (database: Database): Promise<boolean> =>
  hasRows(database, await tableShapesOf(database.queries, database.dialect));

/**
 * Checks the database before anything is restored.
 * @param isContinued whether `DATA_DIR` has the marker of an interrupted restore of the same backup
 * @returns whether an interrupted restore has filled the tables already
 * @throws StartError when the database has other rows or tables than a restore of this backup
 */
async function checkTables(
  { config, manifest }: Restore,
  database: Database,
  isContinued: boolean,
): Promise<boolean> {
  const marker = await readRestoreMarker(database.queries, database.dialect);
  if (marker !== null && marker.backup !== manifest.id) throw otherRestoreUnfinished(marker.backup);
  // A restore may end between its two markers.
  const copiedTables = restoredTables(manifest).filter((table) => !isOfLinkRenditions(table.name));
  const areFilled = marker?.areTablesFilled ?? (isContinued && (await hasAllRows(database, copiedTables)));
  if (areFilled) return true;
  const ran = await ranMigrations(database.queries);
  if (ran.join() !== manifest.migrations.join() || (await hasAnyRows(database)))
    throw databaseNotEmpty(config);
  return false;
}

/**
 * Opens the database of the restore. A PostgreSQL database that cannot be used is left as it was, and so is
 * `DATA_DIR`: it may be that of another installation.
 */
async function openChecked(
  restore: Restore,
  isContinued: boolean,
): Promise<{ database: Database; areTablesFilled: boolean }> {
  const { config, manifest } = restore;
  const upTo = manifest.migrations.at(-1) ?? '';
  let database: Database | null = null;
  try {
    database = await openDatabase(config, { migrates: true, upTo, isRestore: true, restoreId: manifest.id });
    return { database, areTablesFilled: await checkTables(restore, database, isContinued) };
  } catch (error) {
    await database?.close();
    if (!isContinued && config.databaseUrl !== '') removeRestoreFile(config);
    throw error;
  }
}

/** Restores the blobs first: a database without them would be taken for a damaged installation. */
async function restoreAll(
  restore: Restore,
  { blobs, isContinued }: { blobs: BlobStore; isContinued: boolean },
): Promise<RestoredBlobs> {
  const { config, target, manifest, skipDamaged } = restore;
  const { database, areTablesFilled } = await openChecked(restore, isContinued);
  try {
    if (!areTablesFilled) await createRestoreMarker(database, manifest.id);
    const restored = await restoreBlobs({ target, blobs }, manifest, { skipDamaged });
    if (areTablesFilled) return restored;
    // A server that was running before may have written something meanwhile.
    if (await hasAnyRows(database)) throw databaseNotEmpty(config);
    await withDatabase(config, () => restoreTables(database, target, manifest));
    return restored;
  } finally {
    await database.close();
  }
}

/**
 * Runs the migrations that are newer than the backup, and gives the copy a lineage of its own. From then on, servers
 * start.
 */
async function finishRestore(config: Config): Promise<void> {
  const database = await openDatabase(config, { migrates: true, isRestore: true });
  try {
    await withDatabase(config, () =>
      database.transaction(async (transaction) => {
        await renewLineage(transaction, { madeBy: 'restore', nowMs: systemClock.nowMs() });
        await removeRestoreMarker(transaction);
      }),
    );
  } finally {
    await database.close();
  }
  removeRestoreFile(config);
}

/** What a restore certainly writes below `DATA_DIR`: the rows of a database take more than their compressed file. */
const neededBytes = ({ storageUrl, databaseUrl }: Config, { blobs, tables }: BackupManifest): number =>
  (parseStorageUrl(storageUrl) === null ? blobs.sizeBytes : 0) +
  (databaseUrl === '' ? tables.reduce((sum, { file }) => sum + file.sizeBytes, 0) : 0);

/**
 * Checks that the place can take the backup, and marks it, before anything else is written.
 * @returns whether an interrupted restore continues, and what the MAC of the backup shows
 */
async function preparePlace({
  config,
  target,
  manifest,
}: Restore): Promise<{ isContinued: boolean; notice: string }> {
  const isContinued = assertEmptyPlace(config, manifest.id);
  const inBackup =
    manifest.hasKey && manifest.keyFingerprint !== null ? await readSecretKey(target, manifest) : null;
  const key = missingKey(config, { fingerprint: manifest.keyFingerprint, inBackup });
  const checked =
    key === null ? manifest : await chosenSnapshot(target, manifest.id, { seal: manifestSealOf(key) });
  if (!isContinued && !assertSpace(config, neededBytes(config, manifest)))
    process.stdout.write(
      `How much space is free under DATA_DIR=${config.dataDir} is not known, and was not compared with the size of the backup.\n`,
    );
  await markRestoreStarted(config, { backup: manifest.id, isContinued });
  if (key !== null) await writeKey(config, key);
  return { isContinued, notice: authenticityText(checked, { broughtKey: key !== null }) };
}

async function restoreInto(restore: Restore, verifies: boolean): Promise<number> {
  const { config, target, manifest } = restore;
  const { isContinued, notice } = await preparePlace(restore);
  const blobs = await openBlobs(config, { needsObjects: true, check: rejectOtherBucket });
  try {
    const { count, sizeBytes, problems } = await restoreAll(restore, { blobs, isContinued });
    await finishRestore(config);
    const users = manifest.tables.find(({ name }) => name === 'users')?.rowCount ?? 0;
    const recordings = manifest.tables.find(({ name }) => name === 'recordings')?.rowCount ?? 0;
    process.stdout.write(
      `The backup ${manifest.id} was restored: ${users} ${users === 1 ? 'account' : 'accounts'}, ${recordings} ${recordings === 1 ? 'recording' : 'recordings'}, ${count} files (${sizeText(sizeBytes)}). Start the server.\n`,
    );
    process.stdout.write(notice);
    for (const { key, problem } of problems) process.stdout.write(`${problem}: ${key}\n`);
    let differing = 0;
    if (verifies) {
      for await (const key of differingBlobs({ target, blobs }, manifest)) {
        differing += 1;
        process.stdout.write(`different: ${key}\n`);
      }
      process.stdout.write(`${count} files were read back, ${differing} of them differ from the backup.\n`);
    }
    return problems.length + differing > 0 ? 1 : 0;
  } finally {
    await blobs.close();
  }
}

/**
 * Restores a backup into an empty installation. Returns 1 if files of the backup were skipped or read back
 * differently. An interrupted restore is continued by the same command.
 * @throws StartError or BackupError for a known reason
 */
export async function restore(
  config: Config,
  { from, snapshot, verifies, skipDamaged }: RestoreOptions,
): Promise<number> {
  const closers: (() => void | Promise<void>)[] = [];
  try {
    const target = await openTargetToRead(config, from);
    closers.push(() => {
      target.close();
    });
    const manifest = await withBackups(from, async () => {
      const secretKey = await findSecretKey(config);
      const seal = secretKey === null ? null : manifestSealOf(secretKey);
      const chosen = await chosenSnapshot(target, snapshot, { seal, isCertain: true });
      await assertRestorable(target, chosen);
      return chosen;
    });
    const lock = await lockDataDir(config);
    closers.push(() => {
      lock.release();
    });
    const databaseLock = await lockDatabase(config);
    closers.push(() => databaseLock.release());
    return await explained(
      (error) =>
        explainFiles(config.dataDir)(error)?.replace('then start again', 'then run the command again') ??
        null,
      () => restoreInto({ config, target, manifest, skipDamaged }, verifies),
    );
  } finally {
    await closeAll(closers);
  }
}
