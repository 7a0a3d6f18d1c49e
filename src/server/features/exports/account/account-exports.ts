import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { day } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import { uuidV7 } from '#base/uuid-v7.ts';
import type { AccountExport } from '#contract/exports-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import { awaitedPriority, type JobQueue } from '#server/jobs/job-queue.ts';
import { believableCount } from '#server/storage/rows/believable.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { AccountExportRow } from '#server/storage/database/schema.ts';
import { accountSource } from './account-source.ts';
import {
  deleteExpiredExports,
  findExport,
  hasLostBytes,
  hasUnreadableEntry,
  latestExport,
} from './export-store.ts';
import { gatherJob } from './gather-account.ts';
import { hasPurgedName, leftOutNow } from './left-out.ts';

const retentionMs = 7 * day;

export interface AccountExportsDeps {
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  reserve: Pick<DiskReserve, 'check'>;
}

/** Exports of whole accounts. */
export interface AccountExports {
  /**
   * Starts an export and deletes the previous one. If one is already in preparation, returns that one.
   * @throws storage-full (507) while the disk reserve is in use
   */
  start(ownerId: string): Promise<AccountExport>;
  /** The newest export; null if there is none, or once something in it was purged. */
  latest(ownerId: string): Promise<AccountExport | null>;
  /**
   * Opens the ZIP file.
   * @throws not-found (404) until it is ready, purged (410) once something in it was purged
   */
  open(ownerId: string, id: string): Promise<{ source: ByteSource; createdAtMs: number }>;
  removeExpired(): Promise<void>;
}

const present = async (queries: Queries, row: AccountExportRow): Promise<AccountExport> => ({
  id: row.id,
  state: row.state === 'preparing' || row.state === 'ready' ? row.state : 'failed',
  createdAt: instantOf(row.created_at),
  expiresAt: instantOf(row.expires_at),
  sizeBytes: believableCount(row.size_bytes),
  recordingCount: believableCount(row.recording_count),
  leftOut: believableCount(row.left_out),
  leftOutRecordings: await leftOutNow(queries, row),
});

/** Whether something in an export was purged after the export was made, which ends it. */
const hasPurged = async (queries: Queries, row: AccountExportRow): Promise<boolean> =>
  (await hasLostBytes(queries, row.id)) || hasPurgedName(queries, row);

/** Stores the plans of account exports in the database. */
export function createAccountExports({
  database,
  blobs,
  clock,
  queue,
  reserve,
}: AccountExportsDeps): AccountExports {
  const { queries } = database;
  return {
    async start(ownerId) {
      await reserve.check(0);
      const nowMs = clock.nowMs();
      const row: AccountExportRow = {
        id: uuidV7(nowMs, randomBytes(16)),
        owner_id: ownerId,
        state: 'preparing',
        size_bytes: 0,
        entry_count: 0,
        directory_offset: 0,
        directory_size: 0,
        recording_count: 0,
        left_out: 0,
        created_at: nowMs,
        expires_at: nowMs + retentionMs,
      };
      const started = await database.transaction(async (transaction) => {
        await database.lockUser(transaction, ownerId);
        const latest = await latestExport(transaction, ownerId, nowMs);
        const current = latest?.state === 'preparing' ? latest : row;
        if (current === row) {
          // The job deletes replaced exports in batches.
          await transaction
            .updateTable('account_exports')
            .set({ expires_at: nowMs })
            .where('owner_id', '=', ownerId)
            .where('expires_at', '>', nowMs)
            .execute();
          await transaction.insertInto('account_exports').values(row).execute();
        }
        // No effect while the job is queued or running. Enqueues it again if it was given up.
        await queue.enqueue(transaction, {
          kind: gatherJob,
          payload: { exportId: current.id },
          userId: ownerId,
          dedupeKey: current.id,
          priority: awaitedPriority,
        });
        return current;
      });
      queue.wake();
      return present(queries, started);
    },
    async latest(ownerId) {
      const row = await latestExport(queries, ownerId, clock.nowMs());
      if (row === undefined || (row.state === 'ready' && (await hasPurged(queries, row)))) return null;
      return present(queries, row);
    },
    async open(ownerId, id) {
      const row = await findExport(queries, { id, ownerId, nowMs: clock.nowMs() });
      if (row?.state !== 'ready' || (await hasUnreadableEntry(queries, id)))
        throw new ProblemError('not-found');
      if (await hasPurged(queries, row)) throw new ProblemError('purged');
      return { source: accountSource({ queries, blobs }, row), createdAtMs: row.created_at };
    },
    async removeExpired() {
      await deleteExpiredExports(queries, clock.nowMs());
    },
  };
}
