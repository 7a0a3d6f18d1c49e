import { readPyramidHeader, type PyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import { peaksFormat } from '#contract/limits.ts';
import { tilePoints, type PeaksLayout } from './peaks-source.ts';

/** A byte range of the pyramid file; `to` is exclusive. */
export interface PyramidRange {
  from: number;
  to: number;
}

/**
 * Reads the header at the start of a pyramid file.
 * @throws RangeError if the bytes have no pyramid header
 */
export function headerOf(bytes: Uint8Array): PyramidHeader {
  const header = readPyramidHeader(bytes);
  if (header === null) throw new RangeError(`peaks: ${bytes.length} bytes without the header of a pyramid`);
  return header;
}

export function layoutOf(header: PyramidHeader): PeaksLayout {
  return {
    points: header.points,
    levels: header.levels.map(({ points, finestPointsPerPoint }) => ({
      points,
      pointsPerSecond: header.pointsPerSecond / finestPointsPerPoint,
    })),
  };
}

/** The byte range of a tile. The last tile of a level ends with the level. */
export const tileBytes = (header: PyramidHeader, level: number, index: number): PyramidRange =>
  pointBytes(header, level, { from: index * tilePoints, to: (index + 1) * tilePoints });

/** The byte range of points `from` to `to` (exclusive) of a level, clamped to the level. */
export function pointBytes(header: PyramidHeader, level: number, range: PyramidRange): PyramidRange {
  const { offsetBytes = 0, points = 0 } = header.levels[level] ?? {};
  return {
    from: offsetBytes + Math.min(range.from, points) * peaksFormat.bytesPerPoint,
    to: offsetBytes + Math.min(range.to, points) * peaksFormat.bytesPerPoint,
  };
}
