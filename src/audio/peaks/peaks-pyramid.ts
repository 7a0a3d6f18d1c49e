import { maxSoundMs, wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { reduceInto } from './reduce-peaks.ts';

/**
 * Peaks of a whole recording in one file that is read in pieces. Header of 256 bytes, little-endian: magic `EPK1`,
 * u16 points per second, u8 reduction, u8 level count, u32 points, then per level, coarsest first, u32 offset in
 * bytes and u32 points. Then the levels, coarsest first, each point its minimum and maximum as int8. Levels are
 * added until one has at most 1,000 points, so that the first few kilobytes draw the whole recording.
 */
export const pyramidHeaderBytes = 256;
const magic = 0x45_50_4b_31; // "EPK1"
const levelTableOffsetBytes = 12;
const bytesPerLevelEntry = 8;
const bytesPerPoint = 2;
const overviewPoints = 1000;
const pointsPerSecond = 100;
const reduction = 4;

interface PyramidLevel {
  offsetBytes: number;
  points: number;
  /** How many points of the finest level one point of this level covers. */
  finestPointsPerPoint: number;
}

export interface PyramidHeader {
  pointsPerSecond: number;
  reduction: number;
  /** Points of the finest level. */
  points: number;
  /** Coarsest first, finest last. */
  levels: PyramidLevel[];
}

/**
 * Builds the pyramid file of all points (min, max, min, max…) of a recording; drops a trailing half point. Linear
 * time.
 */
export function buildPyramid(points: Int8Array): Uint8Array<ArrayBuffer> {
  const header = layOut(Math.floor(points.length / bytesPerPoint));
  const finest = header.levels.at(-1);
  const file = new Uint8Array(
    finest === undefined ? pyramidHeaderBytes : finest.offsetBytes + finest.points * bytesPerPoint,
  );
  writeHeader(file, header);
  const views = header.levels
    .map((level) => new Int8Array(file.buffer, level.offsetBytes, level.points * bytesPerPoint))
    .reverse();
  views.forEach((view, index) => {
    const finer = views[index - 1];
    if (finer === undefined) view.set(points.subarray(0, view.length));
    else reduceInto(view, finer, reduction);
  });
  return file;
}

/** The points of a recording from any source: min, max, min, max… */
export interface PointSource {
  points: number;
  read: (startPoint: number, endPointExclusive: number) => Promise<Int8Array>;
}

/** Number of points per read; a multiple of the reduction. */
const pointsAtOnce = 1024 * 1024;

async function* inPieces({
  points,
  read,
}: PointSource): AsyncGenerator<{ startPoint: number; piece: Int8Array }> {
  for (let startPoint = 0; startPoint < points; startPoint += pointsAtOnce)
    yield { startPoint, piece: await read(startPoint, Math.min(points, startPoint + pointsAtOnce)) };
}

/** The size of a pyramid of this many points. */
export function pyramidBytes(points: number): number {
  const finest = layOut(points).levels.at(-1);
  return finest === undefined ? pyramidHeaderBytes : finest.offsetBytes + finest.points * bytesPerPoint;
}

/**
 * `buildPyramid` in pieces: the finest level, three quarters of the file, is never in memory as a whole.
 * Reads the source twice.
 */
export async function* pyramidPieces(source: PointSource): AsyncGenerator<Uint8Array> {
  const header = layOut(source.points);
  const headerBytes = new Uint8Array(pyramidHeaderBytes);
  writeHeader(headerBytes, header);
  yield headerBytes;
  // Finest first, without the finest itself.
  const coarser = header.levels
    .slice(0, -1)
    .reverse()
    .map(({ points }) => new Int8Array(points * bytesPerPoint));
  const [second] = coarser;
  if (second !== undefined) {
    for await (const { startPoint, piece } of inPieces(source)) {
      const startsAt = (startPoint / reduction) * bytesPerPoint;
      reduceInto(
        second.subarray(
          startsAt,
          startsAt + Math.ceil(piece.length / bytesPerPoint / reduction) * bytesPerPoint,
        ),
        piece,
        reduction,
      );
    }
  }
  coarser.forEach((level, index) => {
    const finer = coarser[index - 1];
    if (finer !== undefined) reduceInto(level, finer, reduction);
  });
  for (const level of coarser.toReversed()) yield new Uint8Array(level.buffer);
  for await (const { piece } of inPieces(source))
    yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
}

/**
 * Whether the levels follow each other without a hole, each level has the right length for the next finer one, and
 * the finest has all points.
 */
function isLaidOut({ reduction: factor, points, levels }: PyramidHeader): boolean {
  let offsetBytes = pyramidHeaderBytes;
  return (
    factor > 1 &&
    levels.at(-1)?.points === points &&
    levels.every((level, index) => {
      const isNext =
        level.offsetBytes === offsetBytes &&
        level.points === Math.ceil((levels[index + 1]?.points ?? level.points * factor) / factor);
      offsetBytes += level.points * bytesPerPoint;
      return isNext;
    })
  );
}

/**
 * Reads the header from the first bytes of a pyramid file; null if they are something else, shorter than the
 * header, or inconsistent.
 */
export function readPyramidHeader(bytes: Uint8Array): PyramidHeader | null {
  if (bytes.length < pyramidHeaderBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, pyramidHeaderBytes);
  if (view.getUint32(0) !== magic) return null;
  const ownPointsPerSecond = wholeNumberWithin(view.getUint16(4, true), { min: 1 });
  const levelCount = wholeNumberWithin(view.getUint8(7), {
    min: 1,
    max: (pyramidHeaderBytes - levelTableOffsetBytes) / bytesPerLevelEntry,
  });
  if (ownPointsPerSecond === null || levelCount === null) return null;
  const points = wholeNumberWithin(view.getUint32(8, true), {
    max: (maxSoundMs / 1000) * ownPointsPerSecond,
  });
  if (points === null) return null;
  const levels = Array.from({ length: levelCount }, (_, index) => {
    const entry = levelTableOffsetBytes + index * bytesPerLevelEntry;
    return {
      offsetBytes: view.getUint32(entry, true),
      points: view.getUint32(entry + 4, true),
      finestPointsPerPoint: view.getUint8(6) ** (levelCount - 1 - index),
    };
  });
  const header = { pointsPerSecond: ownPointsPerSecond, reduction: view.getUint8(6), points, levels };
  return isLaidOut(header) ? header : null;
}

function layOut(points: number): PyramidHeader {
  const counts = [points];
  for (let count = points; count > overviewPoints;) {
    count = Math.ceil(count / reduction);
    counts.unshift(count);
  }
  let offsetBytes = pyramidHeaderBytes;
  const levels = counts.map((count, index) => {
    const level = {
      offsetBytes,
      points: count,
      finestPointsPerPoint: reduction ** (counts.length - 1 - index),
    };
    offsetBytes += count * bytesPerPoint;
    return level;
  });
  return { pointsPerSecond, reduction, points, levels };
}

function writeHeader(file: Uint8Array<ArrayBuffer>, header: PyramidHeader): void {
  const view = new DataView(file.buffer);
  view.setUint32(0, magic);
  view.setUint16(4, header.pointsPerSecond, true);
  view.setUint8(6, header.reduction);
  view.setUint8(7, header.levels.length);
  view.setUint32(8, header.points, true);
  header.levels.forEach((level, index) => {
    const entry = levelTableOffsetBytes + index * bytesPerLevelEntry;
    view.setUint32(entry, level.offsetBytes, true);
    view.setUint32(entry + 4, level.points, true);
  });
}
