import { z } from 'zod';
import { second } from '#base/duration.ts';
import type { Clock } from '#base/clock.ts';
import type { JobHandler, JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { StoredSegment, StoredSegments } from '#server/features/uploads/stored-segments.ts';
import type { SealedUpload } from '#server/features/uploads/uploads-service.ts';
import { remuxOptionsOf, type RemuxOne } from './remux-segments.ts';

const remuxLiveJob = 'remux-live-segment';
const payloadSchema = z.object({ recordingId: z.string(), index: z.number().int().nonnegative() });

/** Stop seals the last segment right before it finishes the recording, whose own job then makes the file. */
const afterSealMs = 2 * second;

/**
 * Requests that the segment of a running take is made playable, because its links play nothing after a segment that
 * they can't read. Only the browser's own recorder writes such segments. It can be repeated safely.
 */
export async function requestLiveSegment(
  { database, queue, clock }: { database: Database; queue: JobQueue; clock: Clock },
  { recordingId, ownerId, stream, container, index, sizeBytes, recordingState }: SealedUpload,
): Promise<void> {
  const isOfRecorder = stream === 'audio' && (container === 'webm' || container === 'mp4');
  if (!isOfRecorder || sizeBytes === 0 || !isUnfinished({ state: recordingState })) return;
  await queue.enqueue(database.queries, {
    kind: remuxLiveJob,
    payload: { recordingId, index },
    userId: ownerId,
    dedupeKey: `${recordingId} ${index}`,
    runAtMs: clock.nowMs() + afterSealMs,
  });
}

/** The job that makes a sealed segment of a running take playable. */
export function liveSegmentJob({
  database,
  storedSegments,
  remuxOne,
  announce,
}: {
  database: Database;
  storedSegments: StoredSegments;
  remuxOne: RemuxOne;
  announce: Pick<ChangeAnnouncer, 'recordingChanged'>;
}): JobHandler {
  const findRunning = async (id: string): Promise<{ owner_id: string } | null> => {
    const row = await database.queries
      .selectFrom('recordings')
      .select(['owner_id', 'state'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined && isUnfinished(row) ? row : null;
  };

  /** The segment and its work, unless the finishing job makes its file or has made it. */
  async function findWork(recordingId: string, index: number) {
    if ((await findRunning(recordingId)) === null) return null;
    const segments = await storedSegments(recordingId);
    const segment = segments.find((each: StoredSegment) => each.stream === 'audio' && each.index === index);
    const options = segment && remuxOptionsOf(segment, segments);
    return segment?.remuxedBytes === null && options ? { segment, options } : null;
  }

  return {
    kind: remuxLiveJob,
    lane: 'normal',
    async run({ payload }, { signal }) {
      const { recordingId, index } = payloadSchema.parse(payload);
      const work = await findWork(recordingId, index);
      if (work === null) return;
      const { outcome } = await remuxOne(work.segment, {
        ...work.options,
        signal,
        // The finishing job may make the same file at the same time.
        writer: 'live',
        accepts: async () => (await findWork(recordingId, index)) !== null,
      });
      const running = await findRunning(recordingId);
      if (running !== null && outcome !== 'rejected')
        announce.recordingChanged(running.owner_id, recordingId);
    },
  };
}
