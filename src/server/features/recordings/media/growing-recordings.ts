import { BoundedMap } from '#base/bounded-map.ts';
import { second } from '#base/duration.ts';
import type { StoredSegment, StoredSegments } from '#server/features/uploads/stored-segments.ts';
import type { OggSegmentReader } from './ogg-segment.ts';
import { namedGapsOf } from './named-gaps.ts';
import type { RecordingWithCounts } from '#server/features/recordings/recordings-store.ts';
import { type Timeline, timelineOf } from './timeline.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';

/** A recording as measured from its files. */
export interface MeasuredRecording {
  segments: StoredSegment[];
  timeline: Timeline;
}

/** Takes with at most this many uploads are measured on every request, so that appended bytes show immediately. */
const alwaysMeasured = 20;
const measuredEveryMs = 2 * second;

interface Measurement {
  of: string;
  atMs: number;
  result: Promise<MeasuredRecording>;
  isRunning: boolean;
  isLarge: boolean;
}

/**
 * Measures recordings whose figures are not yet in their row from their files. Concurrent requests share one
 * measurement, and the measurement of a take with many files is cached for two seconds, so that frequent reads of
 * a list don't multiply its cost.
 */
export function createGrowingRecordings({
  storedSegments,
  measure,
  nowMs = () => performance.now(),
}: {
  storedSegments: StoredSegments;
  measure: OggSegmentReader;
  nowMs?: () => number;
}): (row: RecordingWithCounts) => Promise<MeasuredRecording> {
  const known = new BoundedMap<string, Measurement>(1000);

  async function measured(row: RecordingWithCounts): Promise<MeasuredRecording> {
    const segments = await storedSegments(row.id);
    const durationMs = isUnfinished(row) ? 0 : row.duration_ms;
    return {
      segments,
      timeline: await timelineOf(segments, measure, { durationMs, gaps: namedGapsOf(row) }),
    };
  }

  return (row) => {
    const of = `${row.state} ${row.updated_at} ${row.finished_at ?? ''}`;
    const last = known.get(row.id);
    if (last?.of === of && (last.isRunning || (last.isLarge && nowMs() - last.atMs < measuredEveryMs)))
      return last.result;
    const measurement: Measurement = {
      of,
      atMs: nowMs(),
      isRunning: true,
      isLarge: false,
      result: measured(row),
    };
    known.set(row.id, measurement);
    measurement.result.then(
      ({ segments }) => {
        Object.assign(measurement, {
          isRunning: false,
          isLarge: segments.length > alwaysMeasured,
          atMs: nowMs(),
        });
      },
      () => {
        known.delete(row.id);
      },
    );
    return measurement.result;
  };
}
