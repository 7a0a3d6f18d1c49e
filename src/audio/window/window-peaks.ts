import type { TimeWindow } from '#audio/ogg/cut-segment.ts';
import { type OpenPart, partUntil, withheldIn } from './inside-windows.ts';
import { type PointSource, pyramidBytes, pyramidPieces } from '#audio/peaks/peaks-pyramid.ts';

const pointMs = 10;
const bytesPerPoint = 2;

/** Points that follow each other on the timeline. */
export interface PointRun {
  startPoint: number;
  points: number;
  /** Exact start of the sound that the first point covers; points have a place in whole hundredths of a second. */
  startMs: number;
  /** How much the start may be wrong. */
  toleranceMs: number;
}

/** The points of a run whose sound is wholly inside a window. */
function rangeInside(
  { startPoint, points, startMs, toleranceMs }: PointRun,
  { window, givenUntilMs }: { window: TimeWindow; givenUntilMs: number },
): { from: number; until: number } {
  const endMs = Math.min(window.endMs, givenUntilMs);
  return {
    from: Math.max(
      startPoint,
      Math.ceil(window.startMs / pointMs),
      startPoint + Math.ceil((window.startMs + toleranceMs - startMs) / pointMs),
    ),
    until: Math.min(
      startPoint + points,
      Math.floor(endMs / pointMs),
      startPoint + Math.floor((endMs - toleranceMs - startMs) / pointMs),
    ),
  };
}

/** The end of the passage with which a part ends, if one is withheld there; otherwise 0. */
function silenceAtEnd(part: OpenPart): number {
  const last = withheldIn(part).at(-1);
  return last?.endMs === part.endMs ? last.endMs : 0;
}

/**
 * The peaks of a part: the points of the finest level that are wholly inside its windows, and silence between them.
 * The first one is the first whole point of the part.
 * @param whole peaks of the whole timeline, a point per 10 ms
 * @param options.givenUntilMs later points are left out
 */
export function windowPoints(
  { read, runs }: Pick<PointSource, 'read'> & { runs: readonly PointRun[] },
  { part, givenUntilMs }: { part: OpenPart; givenUntilMs: number },
): PointSource {
  const { startMs, windows } = part;
  const given = partUntil(part, givenUntilMs);
  const silentEndMs = Number.isFinite(given.endMs) ? silenceAtEnd(given) : 0;
  const ranges = windows.flatMap((window) => runs.map((run) => rangeInside(run, { window, givenUntilMs })));
  const firstPoint = Math.ceil(startMs / pointMs);
  return {
    points: Math.max(
      0,
      Math.floor(silentEndMs / pointMs) - firstPoint,
      ...ranges.filter(({ from, until }) => from < until).map(({ until }) => until - firstPoint),
    ),
    async read(startPoint, endPointExclusive) {
      const points = new Int8Array(Math.max(0, endPointExclusive - startPoint) * bytesPerPoint);
      for (const range of ranges) {
        const from = Math.max(range.from, firstPoint + startPoint);
        const until = Math.min(range.until, firstPoint + endPointExclusive);
        if (from < until)
          points.set(await read(from, until), (from - firstPoint - startPoint) * bytesPerPoint);
      }
      return points;
    },
  };
}

/** The bytes of a pyramid that read the finest level from its source when they are wanted. */
export interface OpenPyramid {
  sizeBytes: number;
  read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;
}

/**
 * Builds the pyramid of some peaks for random access. Only the coarser levels, a quarter of the file, stay in memory.
 * Reads the source once.
 */
export async function openPyramid(source: PointSource): Promise<OpenPyramid> {
  const sizeBytes = pyramidBytes(source.points);
  const coarse = new Uint8Array(sizeBytes - source.points * bytesPerPoint);
  let at = 0;
  for await (const piece of pyramidPieces(source)) {
    coarse.set(piece, at);
    at += piece.length;
    if (at === coarse.length) break;
  }
  return {
    sizeBytes,
    async read(startByte, endByteExclusive) {
      const untilByte = Math.min(sizeBytes, endByteExclusive);
      const head = coarse.subarray(startByte, Math.min(untilByte, coarse.length));
      const fromByte = Math.max(startByte, coarse.length);
      if (fromByte >= untilByte) return head;
      const [firstPoint, untilPoint] = [
        Math.floor((fromByte - coarse.length) / bytesPerPoint),
        Math.ceil((untilByte - coarse.length) / bytesPerPoint),
      ];
      const points = await source.read(firstPoint, untilPoint);
      const skippedBytes = fromByte - coarse.length - firstPoint * bytesPerPoint;
      const bytes = new Uint8Array(untilByte - startByte);
      bytes.set(head);
      bytes.set(
        new Uint8Array(points.buffer, points.byteOffset + skippedBytes, untilByte - fromByte),
        head.length,
      );
      return bytes;
    },
  };
}
