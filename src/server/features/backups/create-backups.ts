import { randomUUID } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { day } from '#base/duration.ts';
import type { Feature } from '#server/features/feature.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import type { Schedule } from '#server/jobs/job-schedule.ts';
import { backupNameOf } from '#server/storage/backups/backup-place.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { backupStatus, type BackupStatus } from './backup-status.ts';
import { verifyFiles } from './check-backup.ts';
import type { BackupManifest } from './format/manifest.ts';
import { manifestSealOf } from './format/manifest-seal.ts';
import { BackupError } from './format/backup-error.ts';
import { chosenSnapshot, isMarked, snapshotsOf } from './format/snapshots.ts';
import { noteVerified } from './format/verified.ts';
import { readOwnership, strangersIn } from './ownership.ts';
import type { Retention } from './retention.ts';
import { takeBackup } from './take/take-backup.ts';

/** The scheduled backups that the operator configured. */
export interface BackupSettings {
  /** The folder, or `s3://bucket/prefix?…`. */
  to: string;
  everyMs: number;
  retention: Retention;
}

const backupJob = 'back-up';
/** A first backup of a large library, or reading one back, may take days. */
const maxRunMs = 7 * day;
/** How often a scheduled backup is read back as a whole. */
const verifiedEveryMs = 7 * day;
/** Files that a message names. */
const maxNamed = 3;

export interface BackupsDeps {
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  version: string;
  /** Authenticates the backups. */
  secretKey: Uint8Array;
  /** Names the data directory or the database in the manifest. */
  place: string;
  /** Opens the configured place; rejects with a sentence for the operator. */
  openTarget: (to: string) => Promise<BackupTarget>;
  /** Called at the start if `checkPlace` finds a reason. */
  onRejected: (problem: string) => void;
}

export interface Backups extends Feature {
  jobs: readonly JobHandler[];
  schedules: readonly Schedule[];
  /** @param otherEveryMs the interval of backups that another server schedules, if this one schedules none */
  status(otherEveryMs?: number | null): Promise<BackupStatus>;
  /**
   * Checks at the first start of an installation, which may be a restored copy, that its scheduled backups may be
   * added to their place, and stores why not as a failure.
   * @returns the reason; null if there is none, or the place cannot be read at the moment
   */
  checkPlace(): Promise<string | null>;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500);

/** Stores an attempt that failed before it could become the running backup. */
async function recordFailure({ database, clock }: BackupsDeps, to: string, error: unknown): Promise<void> {
  const nowMs = clock.nowMs();
  await database.queries
    .insertInto('backups')
    .values({
      id: randomUUID(),
      target: backupNameOf(to),
      state: 'failed',
      owner: '',
      is_scheduled: 1,
      started_at: nowMs,
      lease_until: nowMs,
      ended_at: nowMs,
      error: messageOf(error),
      size_bytes: 0,
      copied_bytes: 0,
      damaged_count: 0,
      verified_at: null,
    })
    .execute();
}

/** When a backup to this target was last read back; negative infinity if none was, undefined without backups. */
async function lastVerifiedAtMs({ queries }: Database, to: string): Promise<number | undefined> {
  const rows = await queries
    .selectFrom('backups')
    .select('verified_at')
    .where('target', '=', backupNameOf(to))
    .where('state', '=', 'done')
    .execute();
  return rows.length === 0
    ? undefined
    : Math.max(
        Number.NEGATIVE_INFINITY,
        ...rows.map(({ verified_at: atMs }) => atMs ?? Number.NEGATIVE_INFINITY),
      );
}

/**
 * Opens the target of scheduled backups.
 * @throws BackupError when earlier backups are gone: an empty folder means that a disk is not mounted
 */
async function openMounted(deps: BackupsDeps, to: string, hasBackups: boolean): Promise<BackupTarget> {
  const target = await deps.openTarget(to);
  try {
    if (hasBackups && !(await isMarked(target)))
      throw new BackupError(
        `BACKUP_TO=${to} has none of the earlier backups: mount its disk, correct the bucket, or run "earshot backup ${to}" once to start new ones there.`,
      );
    return target;
  } catch (error) {
    target.close();
    throw error;
  }
}

/** Reads the backup back and stores the result. */
async function verify(
  { database, clock, secretKey }: BackupsDeps,
  { target, manifest, signal }: { target: BackupTarget; manifest: BackupManifest; signal: AbortSignal },
): Promise<void> {
  const problems: string[] = [];
  // The manifest is read back too.
  const seal = manifestSealOf(secretKey);
  const readBack = await chosenSnapshot(target, manifest.id, { seal });
  for await (const { key } of verifyFiles(target, readBack, signal))
    if (problems.length < maxNamed) problems.push(key);
  const nowMs = clock.nowMs();
  await noteVerified(target, manifest.id, problems.length === 0 ? nowMs : null);
  await database.queries
    .updateTable('backups')
    .set(
      problems.length === 0
        ? { verified_at: nowMs }
        : {
            error: `The backup has files that are missing or damaged (${problems.join(', ')}): the next backup copies those again that the installation has.`,
          },
    )
    .where('id', '=', manifest.id)
    .execute();
}

async function runScheduled(deps: BackupsDeps, settings: BackupSettings, signal: AbortSignal): Promise<void> {
  const { database, blobs, clock, version, secretKey, place } = deps;
  const { to, retention } = settings;
  const verifiedAtMs = await lastVerifiedAtMs(database, to);
  const target = await openMounted(deps, to, verifiedAtMs !== undefined).catch(async (error: unknown) => {
    await recordFailure(deps, to, error);
    throw error;
  });
  try {
    const manifest = await takeBackup(
      { database, blobs, clock, version, secretKey, place, target, signal },
      { withKey: false, isScheduled: true, retention },
    );
    if (verifiedAtMs === undefined || clock.nowMs() - verifiedAtMs >= verifiedEveryMs)
      await verify(deps, { target, manifest, signal });
  } finally {
    target.close();
  }
}

async function checkPlace(deps: BackupsDeps, { to }: BackupSettings): Promise<string | null> {
  const { queries } = deps.database;
  const attempt = await queries.selectFrom('backups').select('id').limit(1).executeTakeFirst();
  if (attempt !== undefined) return null;
  const target = await deps.openTarget(to);
  try {
    const { complete } = await snapshotsOf(target, manifestSealOf(deps.secretKey));
    const reason = strangersIn(target.name, complete, await readOwnership(queries, deps.clock.nowMs()));
    if (reason !== null) await recordFailure(deps, to, new BackupError(reason));
    return reason;
  } finally {
    target.close();
  }
}

/** Builds the backups feature: scheduled backups, and what administrators see of all. */
export function createBackups(deps: BackupsDeps, settings: BackupSettings | null): Backups {
  const job = (scheduled: BackupSettings): JobHandler => ({
    kind: backupJob,
    lane: 'background',
    budgetMs: maxRunMs,
    async run(_job, { signal }) {
      try {
        await runScheduled(deps, scheduled, signal);
      } catch (error) {
        // A full disk of backups is not the full disk that the job runner waits for.
        throw signal.aborted ? error : new BackupError(messageOf(error));
      }
    },
  });
  // The scheduled backup reports why its place cannot be read.
  const check = (): Promise<string | null> =>
    settings === null ? Promise.resolve(null) : checkPlace(deps, settings).catch(() => null);
  return {
    jobs: settings === null ? [] : [job(settings)],
    schedules: settings === null ? [] : [{ kind: backupJob, everyMs: settings.everyMs }],
    // Nothing waits for it: the place may respond after minutes.
    start() {
      void check().then((problem) => {
        if (problem !== null) deps.onRejected(problem);
      });
    },
    checkPlace: check,
    status: (otherEveryMs = null) => backupStatus(deps, settings?.everyMs ?? otherEveryMs),
  };
}
