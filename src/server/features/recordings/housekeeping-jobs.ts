import { z } from 'zod';
import { day, hour, minute } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import { databaseTime } from '#server/storage/database/database-time.ts';
import { storedBytesWithDerived } from '#server/storage/rows/derived-bytes.ts';
import { isBackupRunning } from '#server/storage/rows/running-backup.ts';
import { purge, removeBytesJob, type RecordingsDeps } from './recordings-service.ts';
import { ownBytesOf } from './own-bytes.ts';
import { removeEmptyJob, removeEmptyRecordings } from './remove-empty.ts';
import * as store from './recordings-store.ts';

/** Recurring jobs and their intervals. */
export const housekeepingSchedules = [
  { kind: 'purge-old-trash', everyMs: hour },
  { kind: 'abandon-silent-recordings', everyMs: hour },
  { kind: removeEmptyJob, everyMs: day },
] as const;

const payloadSchema = z.object({ recordingId: z.string() });

/** How long until a removal that waits for a backup is tried again. */
const afterBackupMs = minute;

/** Deletes the bytes of a purged recording. A running backup may still have to copy them. */
function removeBytes({ blobs, database, clock, queue }: RecordingsDeps): JobHandler {
  return {
    kind: removeBytesJob,
    async run({ payload }) {
      const { recordingId } = payloadSchema.parse(payload);
      if (await isBackupRunning(database.queries, databaseTime(database, clock)))
        return queue.enqueue(database.queries, {
          kind: removeBytesJob,
          payload: { recordingId },
          runAtMs: clock.nowMs() + afterBackupMs,
        });
      await blobs.remove(`recordings/${recordingId}/`);
    },
  };
}

/**
 * Purges recordings that have been in the trash for 30 days, and deletes expired capabilities. A recording that
 * cannot be purged does not hold up those of other users: the job fails after it has tried all.
 */
function purgeOldTrash(deps: RecordingsDeps): JobHandler {
  return {
    kind: 'purge-old-trash',
    lane: 'background',
    async run(_job, { signal }) {
      const beforeMs = deps.clock.nowMs() - limits.trashRetentionMs;
      const errors: unknown[] = [];
      for (const { id } of await store.trashedBefore(deps.database.queries, beforeMs)) {
        signal.throwIfAborted();
        try {
          await purge(deps, id, { beforeMs });
        } catch (error) {
          errors.push(new Error(`recording ${id} could not be purged`, { cause: error }));
        }
      }
      await deps.uploads.removeExpiredCapabilities();
      if (errors.length > 0) {
        const message = `${errors.length} recordings in the trash could not be purged`;
        throw new AggregateError(errors, message, { cause: errors[0] });
      }
    },
  };
}

/** Marks takes that received no bytes for 24 hours as abandoned. They receive again when the device returns. */
function abandonSilent(deps: RecordingsDeps): JobHandler {
  const { database, clock, uploads, announce } = deps;
  return {
    kind: 'abandon-silent-recordings',
    lane: 'background',
    async run(_job, { signal }) {
      const beforeMs = clock.nowMs() - serverLimits.abandonedAfterMs;
      for (const { id, owner_id: ownerId } of await store.quietSince(database.queries, beforeMs)) {
        signal.throwIfAborted();
        const segments = await uploads.storedSegments(id);
        if (segments.some(({ changedAtMs }) => changedAtMs >= beforeMs)) continue;
        await database.transaction(async (transaction) => {
          const countedBytes = await storedBytesWithDerived(transaction, id, ownBytesOf(segments, 0));
          await transaction
            .updateTable('recordings')
            // An import counts the announced size of its file already.
            .set(({ eb }) => ({
              state: 'abandoned',
              stored_bytes: eb
                .case()
                .when('stored_bytes', '<', countedBytes)
                .then(countedBytes)
                .else(eb.ref('stored_bytes'))
                .end(),
              updated_at: clock.nowMs(),
            }))
            .where('id', '=', id)
            .where('state', '=', 'receiving')
            .execute();
        });
        uploads.forget(id);
        await uploads.settle(ownerId, id);
        announce.recordingChanged(ownerId, id);
      }
    },
  };
}

/** The housekeeping jobs of recordings. */
export const housekeepingJobs = (deps: RecordingsDeps): JobHandler[] => [
  removeBytes(deps),
  purgeOldTrash(deps),
  abandonSilent(deps),
  removeEmptyRecordings(deps),
];
