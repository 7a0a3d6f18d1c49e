import { second } from '#base/duration.ts';
import { tilePoints, type PeaksLayout } from './peaks-source.ts';

/** A range of points in one level; `to` is exclusive. */
export interface PointRange {
  level: number;
  from: number;
  to: number;
}

/**
 * The coarsest level whose points are no longer than a column, so that a column reads only a few points; the
 * finest level if none is.
 */
export function levelFor(layout: PeaksLayout, msPerColumn: number): number {
  const level = layout.levels.findIndex(({ pointsPerSecond }) => second / pointsPerSecond <= msPerColumn);
  return level === -1 ? layout.levels.length - 1 : level;
}

/** How many points a view reads at most for the loudness of its columns: four tiles, 32 kB. */
const maxLoudnessRead = 4 * tilePoints;

/**
 * The level from which the loudness of columns is computed: two levels finer than the peaks, with 16 points or more
 * per column, as far as the view then reads few tiles. Peaks of a whole breath are all alike; those of a syllable
 * are not.
 */
export function loudnessLevelFor(
  layout: PeaksLayout,
  { msPerColumn, spanMs }: { msPerColumn: number; spanMs: number },
): number {
  const level = levelFor(layout, msPerColumn);
  const isReadable = (finer: number): boolean => {
    const pointsPerSecond = layout.levels[finer]?.pointsPerSecond;
    return pointsPerSecond !== undefined && (spanMs / second) * pointsPerSecond <= maxLoudnessRead;
  };
  return [level + 2, level + 1].find(isReadable) ?? level;
}

/** The points of a level that a time range touches, clamped to the level. */
export function pointsBetween(
  layout: PeaksLayout,
  level: number,
  time: { fromMs: number; toMs: number },
): PointRange {
  const { points = 0, pointsPerSecond = 1 } = layout.levels[level] ?? {};
  const from = Math.max(0, Math.min(points, Math.floor((time.fromMs * pointsPerSecond) / second)));
  const to = Math.max(from, Math.min(points, Math.ceil((time.toMs * pointsPerSecond) / second)));
  return { level, from, to };
}

/** The indexes of the tiles that contain a range, in order. */
export function tilesOf(range: PointRange): number[] {
  if (range.to <= range.from) return [];
  const first = Math.floor(range.from / tilePoints);
  const last = Math.floor((range.to - 1) / tilePoints);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
