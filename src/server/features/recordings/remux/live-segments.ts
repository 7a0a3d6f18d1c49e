import { z } from 'zod';
import { second } from '#base/duration.ts';
import type { Clock } from '#base/clock.ts';
import type { JobHandler, JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import type { StoredSegments } from '#server/features/uploads/stored-segments.ts';
import type { SealedUpload } from '#server/features/uploads/uploads-service.ts';
import { findAny } from '#server/features/recordings/recordings-store.ts';
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
  /** The segment and its work, unless the finishing job makes its file or has made it. */
  async function findWork(recordingId: string, index: number) {
    const recording = await findAny(database.queries, recordingId);
    if (!recording || !isUnfinished(recording)) return null;
    const segments = await storedSegments(recordingId);
    const segment = segments.find((each) => each.stream === 'audio' && each.index === index);
    const options = segment && remuxOptionsOf(segment, segments);
    return segment?.remuxedBytes === null && options
      ? { ownerId: recording.owner_id, segment, options }
      : null;
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
      if (outcome !== 'rejected') announce.recordingChanged(work.ownerId, recordingId);
    },
  };
}
