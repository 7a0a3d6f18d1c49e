import type { StoredSegments } from '#server/features/uploads/stored-segments.ts';
import { timelineOf } from './timeline.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { OggSegmentReader } from './ogg-segment.ts';

/** How much of a recording has arrived, in milliseconds, read in a transaction and never cached. */
export type ReceivedMs = (queries: Queries, recordingId: string) => Promise<number>;

export const createReceivedMs =
  ({ storedSegments, measure }: { storedSegments: StoredSegments; measure: OggSegmentReader }): ReceivedMs =>
  async (queries, recordingId) => {
    const segments = await storedSegments(recordingId, queries);
    return (await timelineOf(segments, measure, { durationMs: 0, gaps: [] })).durationMs;
  };
