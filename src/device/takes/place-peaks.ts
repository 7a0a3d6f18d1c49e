import { second } from '#base/duration.ts';
import { peaksFormat } from '#contract/limits.ts';

/** The peaks of one segment. `points`: min, max, min, max… */
export interface PlacedPeaks {
  startMs: number;
  points: Int8Array;
}

const msPerPoint = second / peaksFormat.pointsPerSecond;

/**
 * Places the peaks of all segments on one timeline, with silence in between. A segment that overlaps the next is
 * cut off.
 */
export function placePeaks(segments: readonly PlacedPeaks[]): Int8Array {
  const placed = segments.map(({ startMs, points }) => ({
    at: Math.round(startMs / msPerPoint) * peaksFormat.bytesPerPoint,
    points: points.subarray(0, points.length - (points.length % 2)),
  }));
  const timeline = new Int8Array(Math.max(0, ...placed.map(({ at, points }) => at + points.length)));
  for (const { at, points } of placed) timeline.set(points, at);
  return timeline;
}
