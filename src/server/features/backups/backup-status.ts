import type { Clock } from '#base/clock.ts';
import { databaseTime, readTime } from '#server/storage/database/database-time.ts';
import type { Database } from '#server/storage/database/database.ts';

/** What administrators and monitoring see of the backups that this installation made. */
export interface BackupStatus {
  /** The interval of scheduled backups; null if none are scheduled. */
  everyMs: number | null;
  isRunning: boolean;
  newest: {
    startedAtMs: number;
    /** The folder, or `s3://bucket/prefix`. */
    place: string;
    sizeBytes: number;
    /** The part that the target did not have before. */
    copiedBytes: number;
    damagedCount: number;
    verifiedAtMs: number | null;
    /** What went wrong after it was complete, for example that old ones could not be deleted. */
    problem: string | null;
  } | null;
  /** The last attempt, if it is newer than the newest backup and failed. */
  failure: { atMs: number; reason: string } | null;
  /** Whether two scheduled backups in a row are missing. */
  isOverdue: boolean;
}

/** Reads the state of the backups. */
export async function backupStatus(
  { database, clock }: { database: Database; clock: Clock },
  everyMs: number | null,
): Promise<BackupStatus> {
  const { queries } = database;
  const latest = (state: 'running' | 'done' | 'failed') =>
    queries
      .selectFrom('backups')
      .selectAll()
      .where('state', '=', state)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  const [running, done, failed] = await Promise.all([latest('running'), latest('done'), latest('failed')]);
  const nowMs = await readTime(queries, databaseTime(database, clock));
  return {
    everyMs,
    isRunning: running !== undefined && running.lease_until > nowMs,
    newest: done
      ? {
          startedAtMs: done.started_at,
          place: done.target,
          sizeBytes: done.size_bytes,
          copiedBytes: done.copied_bytes,
          damagedCount: done.damaged_count,
          verifiedAtMs: done.verified_at,
          problem: done.error,
        }
      : null,
    failure:
      failed && failed.started_at > (done?.started_at ?? Number.NEGATIVE_INFINITY)
        ? { atMs: failed.ended_at ?? failed.started_at, reason: failed.error ?? '' }
        : null,
    isOverdue: everyMs !== null && done !== undefined && nowMs - done.started_at > 2 * everyMs,
  };
}
