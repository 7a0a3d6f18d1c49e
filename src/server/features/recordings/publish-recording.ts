import type { Transaction } from 'kysely';
import { pyramidKeyOf } from '#server/storage/blobs/derived-keys.ts';
import type { RecordingRow, Schema } from '#server/storage/database/schema.ts';
import { storedBytesWithDerived } from '#server/storage/rows/derived-bytes.ts';
import { recordChange, wasReopened } from '#server/storage/rows/recording-changes.ts';
import type { ReadyColumns } from './ready-columns.ts';
import type { RecordingsDeps } from './recordings-service.ts';
import type { RecordingWithCounts } from './recordings-store.ts';

export type PublishDeps = Pick<RecordingsDeps, 'database' | 'blobs' | 'clock' | 'announce'>;

/** Makes a recording ready, unless it was reopened, finished again or deleted in the meantime. */
export async function setReady(
  transaction: Transaction<Schema>,
  row: RecordingWithCounts,
  { from, change }: { from: readonly RecordingRow['state'][]; change: ReadyColumns },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('recordings')
    .set({
      ...change,
      state: 'ready',
      stored_bytes: await storedBytesWithDerived(transaction, row.id, change.stored_bytes),
    })
    .where('id', '=', row.id)
    .where('state', 'in', from)
    .where('finished_at', row.finished_at === null ? 'is' : '=', row.finished_at)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Announces a recording that was published, or removes the pyramid that nothing shows.
 * @param row with the `finished_at` that is in the pyramid's key
 */
export async function settlePublication(
  { blobs, announce }: PublishDeps,
  row: RecordingWithCounts,
  isPublished: boolean,
): Promise<void> {
  if (isPublished) announce.recordingChanged(row.owner_id, row.id);
  else await blobs.remove(pyramidKeyOf(row));
}

/**
 * Publishes a finished recording. Only its newest finish may make it ready: one that was reopened in the meantime is
 * receiving, or waits for its next finish.
 */
export async function publishFinished(
  deps: PublishDeps,
  row: RecordingWithCounts,
  ready: ReadyColumns,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const isPublished = await deps.database.transaction(async (transaction) => {
    const isReady = await setReady(transaction, row, {
      from: ['finishing', 'failed'],
      change: { ...ready, updated_at: nowMs },
    });
    if (isReady && (await wasReopened(transaction, row.id)))
      await recordChange(transaction, {
        recording_id: row.id,
        at: nowMs,
        kind: 'finished-again',
        device_label: '',
        duration_ms: ready.duration_ms ?? null,
      });
    return isReady;
  });
  await settlePublication(deps, row, isPublished);
}
