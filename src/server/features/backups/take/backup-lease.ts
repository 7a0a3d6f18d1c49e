import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { databaseTime, readTime } from '#server/storage/database/database-time.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { BackupRow } from '#server/storage/database/schema.ts';
import { holdLease, LeaseLostError } from '#server/storage/held-lease.ts';
import { isProcessRunning } from '#server/storage/is-process-running.ts';
import { BackupError } from '#server/features/backups/format/backup-error.ts';

const leaseMs = 60 * second;
/** How long a lease that has just been renewed may make another backup wait, with a margin. */
const maxWaitMs = leaseMs + 15 * second;
/** Attempts and backups that administrators can still see. */
const retainedRows = 100;

const ownOwner = (): string => `${hostname()} ${process.pid}`;

/** Whether the process that holds a lease has certainly ended. */
function hasEnded(owner: string): boolean {
  const [host, pid] = owner.split(' ');
  return host === hostname() && !isProcessRunning(Number(pid));
}

/** Marks backups as failed whose process has ended. Returns the one that is still running. */
async function liveBackup(queries: Queries, nowMs: number): Promise<BackupRow | undefined> {
  const running = await queries.selectFrom('backups').selectAll().where('state', '=', 'running').execute();
  for (const row of running) {
    const isDead = row.lease_until <= nowMs || hasEnded(row.owner);
    if (!isDead || !(await markAsEnded(queries, row, nowMs))) return row;
  }
  return undefined;
}

/** Returns false if its process has renewed the lease in the meantime. */
async function markAsEnded(
  queries: Queries,
  { id, lease_until: leaseUntil }: BackupRow,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('backups')
    .set({ state: 'failed', ended_at: nowMs, error: 'The process ended before the backup was complete.' })
    .where('id', '=', id)
    .where('lease_until', '=', leaseUntil)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The newest complete backup in each target stays known: it proves that the ones there are this installation's. */
async function forgetOld(queries: Queries): Promise<void> {
  const oldest = await queries
    .selectFrom('backups')
    .select('started_at')
    .orderBy('started_at', 'desc')
    .offset(retainedRows)
    .limit(1)
    .executeTakeFirst();
  if (oldest !== undefined)
    await queries
      .deleteFrom('backups')
      .where('started_at', '<=', oldest.started_at)
      .where('id', 'not in', (query) =>
        query
          .selectFrom('backups as newest')
          .select('newest.id')
          .where('newest.state', '=', 'done')
          .where((each) =>
            each(
              'newest.started_at',
              '=',
              each
                .selectFrom('backups as same')
                .select(({ fn }) => fn.max<number>('same.started_at').as('started_at'))
                .where('same.state', '=', 'done')
                .whereRef('same.target', '=', 'newest.target'),
            ),
          ),
      )
      .execute();
}

/** The one backup of the installation that is running. */
export interface BackupLease {
  /** Aborts when the lease was lost, or the caller's signal aborts. */
  signal: AbortSignal;
  end(result: Pick<BackupRow, 'state'> & Partial<BackupRow>): Promise<void>;
}

export interface LeaseDeps {
  database: Database;
  clock: Clock;
  signal: AbortSignal;
}

/** Returns `performance.now()` from before the lease was taken. */
async function insertWhenFree(
  { database, clock, signal }: LeaseDeps,
  row: Pick<BackupRow, 'id' | 'target' | 'is_scheduled'>,
): Promise<number> {
  for (const startedWaitingMs = performance.now(); ;) {
    const takenAtMs = performance.now();
    const live = await database.transaction(
      async (transaction): Promise<BackupRow | 'started' | 'unseen'> => {
        const nowMs = await readTime(transaction, databaseTime(database, clock));
        const other = await liveBackup(transaction, nowMs);
        if (other !== undefined) return other;
        await forgetOld(transaction);
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('backups')
          .values({
            ...row,
            state: 'running',
            owner: ownOwner(),
            started_at: nowMs,
            lease_until: nowMs + leaseMs,
            ended_at: null,
            error: null,
            size_bytes: 0,
            copied_bytes: 0,
            damaged_count: 0,
            verified_at: null,
          })
          // The index `one_running_backup` rejects the later of two that don't see each other.
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows === 1n ? 'started' : 'unseen';
      },
    );
    if (live === 'started') return takenAtMs;
    if (live === 'unseen') continue;
    // The lease of a process that ended on another machine expires within this time.
    if (performance.now() - startedWaitingMs > maxWaitMs)
      throw new BackupError(
        `Another backup is running (${live.owner}, to ${live.target}): run the command again later.`,
      );
    await delay(second, undefined, { signal });
  }
}

/** Says for the operator why a backup stopped. */
const lostError = (reason: unknown): BackupError =>
  new BackupError(
    reason instanceof LeaseLostError && reason.kind === 'taken'
      ? 'Another process has ended this backup, because its lease was not renewed in time: check whether another backup is running, or run the command again.'
      : 'The database did not confirm within 50 seconds that this backup is running: check the database, then run the command again.',
  );

/**
 * Becomes the only running backup. While the lease lives, the server deletes no file of a recording that was purged.
 * @throws BackupError when another backup is running for longer than a lease
 */
export async function takeLease(
  deps: LeaseDeps,
  row: Pick<BackupRow, 'id' | 'target' | 'is_scheduled'>,
): Promise<BackupLease> {
  const { database, clock, signal } = deps;
  const time = databaseTime(database, clock);
  const takenAtMs = await insertWhenFree(deps, row);
  const lease = holdLease({
    leaseMs,
    takenAtMs,
    async renew() {
      const { numUpdatedRows } = await database.queries
        .updateTable('backups')
        .set({ lease_until: sql<number>`${time()} + ${sql.lit(leaseMs)}` })
        .where('id', '=', row.id)
        .where('state', '=', 'running')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  });
  const lost = new AbortController();
  lease.signal.addEventListener('abort', () => {
    lost.abort(lostError(lease.signal.reason));
  });
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    async end(result) {
      lease.stop();
      await database.queries
        .updateTable('backups')
        .set({ ended_at: time(), ...result })
        .where('id', '=', row.id)
        .where('state', '=', 'running')
        .execute();
    },
  };
}
