import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import { type BackupTarget, keyOfContent } from '#server/storage/backups/backup-target.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';
import type { Database } from '#server/storage/database/database.ts';
import { renewLineage } from '#server/storage/rows/backup-lineage.ts';
import { type BlobEntry, contentsOf } from '#server/features/backups/format/blob-entry.ts';
import { manifestSealOf, type ManifestSeal } from '#server/features/backups/format/manifest-seal.ts';
import type { FileSum } from '#server/features/backups/format/values.ts';
import { fileProblemOf } from '#server/features/backups/check-backup.ts';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';
import { compressed } from '#server/features/backups/format/lines.ts';
import {
  backupFormat,
  chunkedFormat,
  type BackupManifest,
  manifestText,
  type Snapshot,
} from '#server/features/backups/format/manifest.ts';
import { BackupError } from '#server/features/backups/format/backup-error.ts';
import {
  blobsOf,
  keysOf,
  markTarget,
  snapshotIds,
  snapshotsOf,
} from '#server/features/backups/format/snapshots.ts';
import {
  isForked,
  isOwn,
  type Ownership,
  readOwnership,
  rejectStrangers,
  unfinishedOfOthers,
} from '#server/features/backups/ownership.ts';
import { applyRetention, type Retention } from '#server/features/backups/retention.ts';
import { assertTargetSpace } from './assert-space.ts';
import { takeLease } from './backup-lease.ts';
import { BlobCopier, type CopiedBlobs } from './copy-blobs.ts';
import { snapshotBlobs } from './snapshot-blobs.ts';
import { keyFingerprintOf, writeTables } from './write-tables.ts';

export interface TakeBackupDeps {
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  version: string;
  /** Authenticates the backups. Null: it is not known, and the backup has no MAC. */
  secretKey: Uint8Array | null;
  /** Names the data directory or the database in the manifest. */
  place: string;
  target: BackupTarget;
  signal: AbortSignal;
}

export interface TakeBackupOptions {
  /** Whether the backup contains the secret key, which is known. */
  withKey: boolean;
  isScheduled: boolean;
  /** Which backups stay in the target; null retains all. */
  retention: Retention | null;
  /** Whether to add backups to a place that has only those of another copy of this installation. */
  adopts?: boolean;
}

/** How often the tables are read again because a file that they name was replaced or deleted meanwhile. */
const maxPasses = 3;

/** Sorts by time: `20261126t201500z-1a2b3c4d`. */
const newId = (nowMs: number): string =>
  `${instantOf(nowMs)
    .replace(/[-:]|\.\d+/g, '')
    .toLowerCase()}-${randomBytes(4).toString('hex')}`;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* noEntries(): AsyncGenerator<BlobEntry> {
  yield* [];
}

/**
 * Backups of two installations in one place would delete each other's files.
 * @throws BackupError when the newest backup has the fingerprint of another key
 */
function rejectForeign(
  { name }: BackupTarget,
  newest: BackupManifest | undefined,
  fingerprint: string | null,
): void {
  if (newest === undefined || newest.keyFingerprint === fingerprint || newest.keyFingerprint === null) return;
  throw new BackupError(
    `${name} has backups of another installation (its secret key has the fingerprint ${newest.keyFingerprint}): use another folder.`,
  );
}

/** Writes the tables and copies the blobs that they name. */
async function writePass(
  { database, blobs, target, signal }: TakeBackupDeps,
  { id, before }: { id: string; before: Snapshot | undefined },
): Promise<{
  tables: Awaited<ReturnType<typeof writeTables>>;
  totals: CopiedBlobs;
  file: BackupManifest['blobs']['file'];
}> {
  const tables = await writeTables(database, { target, id, signal });
  await assertTargetSpace(target, snapshotBlobs(target, id, tables.tables));
  const copier = new BlobCopier({ blobs, target, signal });
  const entries = copier.copy(
    snapshotBlobs(target, id, tables.tables),
    before === undefined ? noEntries() : blobsOf(target, before),
  );
  async function* lines(): AsyncGenerator<string> {
    for await (const entry of entries) yield JSON.stringify(entry);
  }
  const file = await target.write(keysOf(id).blobs, compressed(lines()));
  return { tables, totals: copier.totals, file };
}

const sealOf = ({ secretKey }: TakeBackupDeps): ManifestSeal | null =>
  secretKey === null ? null : manifestSealOf(secretKey);

/** @throws BackupError when the key is not the one of the database */
async function writeSecretKey(
  { secretKey, target }: TakeBackupDeps,
  id: string,
  keyFingerprint: string | null,
): Promise<void> {
  if (secretKey === null) throw new TypeError('the secret key is not known');
  const present = fingerprintOf(secretKey);
  if (keyFingerprint !== null && present !== keyFingerprint)
    throw new BackupError(
      `The secret key here (fingerprint ${present}) is not the one that the database needs (fingerprint ${keyFingerprint}): put that one there, or omit --with-key.`,
    );
  await target.write(keysOf(id).secretKey, once(secretKey));
}

/**
 * Returns the newest backup whose list of files can be trusted. A forged list would name content of somebody else for
 * files that have not changed, and the new backup would be authentic.
 */
async function trustedOf(deps: TakeBackupDeps, own: readonly Snapshot[]): Promise<Snapshot | undefined> {
  for (const snapshot of own) {
    const isTrusted = deps.secretKey === null || snapshot.authenticity === 'authentic';
    if (
      isTrusted &&
      (await fileProblemOf(deps.target, keysOf(snapshot.id).blobs, snapshot.blobs.file)) === null
    )
      return snapshot;
  }
  return undefined;
}

/** Begins a new lineage if another copy of the database continues the present one. */
async function adopt(
  { database, clock }: TakeBackupDeps,
  snapshots: readonly Snapshot[],
  ownership: Ownership,
): Promise<Ownership> {
  if (!isForked(snapshots, ownership)) return ownership;
  const nowMs = clock.nowMs();
  await database.transaction((transaction) => renewLineage(transaction, { madeBy: 'adopt', nowMs }));
  return readOwnership(database.queries, nowMs);
}

interface PreparedTarget {
  ownership: Ownership;
  /** The newest backup of this installation there whose list of files can be trusted. */
  before: Snapshot | undefined;
  /** The ids of its own backups, complete or not. */
  ownIds: ReadonlySet<string>;
}

/** Checks that the place has backups of this installation, or none at all, and deletes what was interrupted. */
async function prepareTarget(deps: TakeBackupDeps, adopts: boolean): Promise<PreparedTarget> {
  const { database, clock, target } = deps;
  const { complete, incomplete } = await snapshotsOf(target, sealOf(deps));
  rejectForeign(target, complete[0], await keyFingerprintOf(database.queries));
  let ownership = await readOwnership(database.queries, clock.nowMs());
  if (adopts) ownership = await adopt(deps, complete, ownership);
  else rejectStrangers(target.name, complete, ownership);
  await markTarget(target);
  if (unfinishedOfOthers(incomplete, ownership, clock.nowMs()).length === 0) await target.clean();
  for (const interrupted of incomplete.filter((each) => ownership.knownIds.has(each)))
    await target.remove(keysOf(interrupted).folder);
  const own = complete.filter((snapshot) => isOwn(snapshot, ownership));
  return {
    ownership,
    before: await trustedOf(deps, own),
    ownIds: new Set([...ownership.knownIds, ...own.map(({ id }) => id)]),
  };
}

const checkedAtOnce = 64;

/**
 * Whether the target has every file that a snapshot names. Another installation with backups in the same place may
 * have deleted one that nothing named before.
 */
async function hasEveryContent(
  target: BackupTarget,
  written: { id: string; blobs: { file: FileSum } },
): Promise<boolean> {
  const isThere = async ({ sha256, sizeBytes }: FileSum): Promise<boolean> =>
    (await target.sizeOf(keyOfContent(sha256))) === sizeBytes;
  let batch: FileSum[] = [];
  const isBatchThere = async (): Promise<boolean> => (await mapInBatches(batch, isThere)).every(Boolean);
  for await (const entry of blobsOf(target, written)) {
    batch.push(...contentsOf(entry));
    if (batch.length < checkedAtOnce) continue;
    if (!(await isBatchThere())) return false;
    batch = [];
  }
  return isBatchThere();
}

/** Whether other installations have backups in the target, or are making one. */
async function isShared(target: BackupTarget, ownIds: ReadonlySet<string>): Promise<boolean> {
  return (await snapshotIds(target)).some((id) => !ownIds.has(id));
}

async function write(
  deps: TakeBackupDeps,
  { id, withKey, startedAtMs }: { id: string; withKey: boolean; startedAtMs: number },
  { ownership, before, ownIds }: PreparedTarget,
): Promise<BackupManifest> {
  const { clock, version, target, place } = deps;
  const { lineage } = ownership;
  const copied = { count: 0, sizeBytes: 0 };
  for (let pass = 1; ; pass += 1) {
    const { tables, totals, file } = await writePass(deps, { id, before });
    copied.count += totals.copied.count;
    copied.sizeBytes += totals.copied.sizeBytes;
    if (totals.isOutdated && pass < maxPasses) continue;
    if ((await isShared(target, ownIds)) && !(await hasEveryContent(target, { id, blobs: { file } }))) {
      if (pass < maxPasses) continue;
      throw new BackupError(
        `Another installation deletes files in ${target.name} that this backup needs: run the command again later.`,
      );
    }
    if (withKey) await writeSecretKey(deps, id, tables.keyFingerprint);
    const manifest: BackupManifest = {
      format: totals.hasChunks ? chunkedFormat : backupFormat,
      id,
      version,
      origin: { lineage: lineage.id, continues: lineage.continues, host: hostname(), place },
      startedAtMs,
      endedAtMs: clock.nowMs(),
      ...tables,
      hasKey: withKey,
      blobs: {
        count: totals.count,
        sizeBytes: totals.sizeBytes,
        damagedCount: totals.damagedCount,
        file,
      },
      copied,
    };
    deps.signal.throwIfAborted();
    await target.write(keysOf(id).manifest, once(Buffer.from(manifestText(manifest, sealOf(deps)))));
    return manifest;
  }
}

/** The size of everything that a snapshot names, and of the files that describe it. */
export const wholeSizeOf = ({ blobs, tables }: BackupManifest): number =>
  tables.reduce((sum, { file }) => sum + file.sizeBytes, blobs.sizeBytes + blobs.file.sizeBytes);

/** Deletes old backups. Returns why that failed, because the new backup is complete in either case. */
async function retain(
  target: BackupTarget,
  retention: Retention,
  options: Parameters<typeof applyRetention>[2],
): Promise<string | null> {
  try {
    await applyRetention(target, retention, options);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Makes one backup while the server runs: everything that the database has at one moment, with the bytes that it
 * names. The manifest is written last, so an interrupted backup leaves the earlier ones as they were.
 * @throws BackupError for a reason that the operator can change
 */
export async function takeBackup(
  deps: TakeBackupDeps,
  { withKey, isScheduled, retention, adopts = false }: TakeBackupOptions,
): Promise<BackupManifest> {
  const startedAtMs = deps.clock.nowMs();
  const id = newId(startedAtMs);
  const lease = await takeLease(deps, { id, target: deps.target.name, is_scheduled: isScheduled ? 1 : 0 });
  try {
    const leased = { ...deps, signal: lease.signal };
    const prepared = await prepareTarget(leased, adopts);
    const manifest = await write(leased, { id, withKey, startedAtMs }, prepared);
    const { ownership } = prepared;
    const problem =
      retention === null
        ? null
        : await retain(deps.target, retention, {
            ownership,
            seal: sealOf(deps),
            nowMs: deps.clock.nowMs(),
            signal: lease.signal,
          });
    await lease.end({
      state: 'done',
      error: problem,
      size_bytes: wholeSizeOf(manifest),
      copied_bytes: manifest.copied.sizeBytes,
      damaged_count: manifest.blobs.damagedCount,
    });
    return manifest;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await lease.end({ state: 'failed', error: reason.slice(0, 500) }).catch(() => undefined);
    throw error;
  }
}
