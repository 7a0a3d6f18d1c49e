import { readPyramidHeader, type PyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import { peaksFormat } from '#contract/limits.ts';
import { tilePoints, type PeaksLayout } from './peaks-source.ts';

/** A stretch of the pyramid file; `to` is exclusive. */
export interface ByteRange { from: number; to: number }

/** Reads the header at the start of a pyramid file, or says that this is none. */
export function headerOf(bytes: Uint8Array): PyramidHeader {
  const header = readPyramidHeader(bytes);
  if (header === null) throw new RangeError(`peaks: ${bytes.length} bytes without the header of a pyramid`);
  return header;
}

export function layoutOf(header: PyramidHeader): PeaksLayout {
  return {
    points: header.points,
    levels: header.levels.map(({ points, finestPointsPerPoint }) => ({ points, pointsPerSecond: header.pointsPerSecond / finestPointsPerPoint })),
  };
}

/** Where in the file a tile lies; the last tile of a level ends with the level. */
export function tileBytes(header: PyramidHeader, level: number, index: number): ByteRange {
  const { offsetBytes = 0, points = 0 } = header.levels[level] ?? {};
  const first = Math.min(index * tilePoints, points);
  const last = Math.min(first + tilePoints, points);
  return { from: offsetBytes + first * peaksFormat.bytesPerPoint, to: offsetBytes + last * peaksFormat.bytesPerPoint };
}
