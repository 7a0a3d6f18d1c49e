import { serverLimits } from '#contract/server-limits.ts';
import type { JobHandler } from '#server/jobs/job-queue.ts';
import { isProvenBefore } from '#server/storage/rows/moments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { unfinishedStates } from '#server/storage/rows/unfinished.ts';
import type { RecordingsDeps } from './recordings-service.ts';

export const removeEmptyJob = 'remove-empty-recordings';

/** Recordings that are unfinished and unchanged, without markers or text, and without a valid upload capability. */
const untouched = (queries: Queries, { beforeMs, nowMs }: { beforeMs: number; nowMs: number }) =>
  queries
    .selectFrom('recordings')
    .select('recordings.id')
    .where('state', 'in', unfinishedStates)
    .where('finished_at', 'is', null)
    .where(isProvenBefore('updated_at', beforeMs))
    .where('text_bytes', '=', 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('markers')
            .select('markers.id')
            .whereRef('markers.recording_id', '=', 'recordings.id'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('upload_capabilities')
            .select('token_hash')
            .whereRef('upload_capabilities.recording_id', '=', 'recordings.id')
            .where('expires_at', '>', nowMs),
        ),
      ),
    );

/**
 * Deletes recordings that never received a byte. Unlike purged ones their ids are not reserved: a device that
 * returns with the sound registers the recording again under the same id.
 */
export function removeEmptyRecordings({
  database,
  blobs,
  clock,
  uploads,
  announce,
}: RecordingsDeps): JobHandler {
  return {
    kind: removeEmptyJob,
    lane: 'background',
    async run(_job, { signal }) {
      const nowMs = clock.nowMs();
      const when = { nowMs, beforeMs: nowMs - serverLimits.emptyRetentionMs };
      for (const { id } of await untouched(database.queries, when).execute()) {
        signal.throwIfAborted();
        if ((await uploads.storedSegments(id)).some(({ sizeBytes }) => sizeBytes > 0)) continue;
        const gone = await database.transaction(async (transaction) => {
          const row = await transaction
            .deleteFrom('recordings')
            .where('id', 'in', untouched(transaction, when).where('recordings.id', '=', id))
            .returning('owner_id')
            .executeTakeFirst();
          // Inside the transaction, so that files of a new recording with the same id are not deleted.
          if (row !== undefined) await blobs.remove(`recordings/${id}/`);
          return row;
        });
        if (gone === undefined) continue;
        uploads.forget(id, { revoke: true });
        await uploads.settle(gone.owner_id, id);
        announce.recordingRemoved(gone.owner_id, id);
      }
    },
  };
}
