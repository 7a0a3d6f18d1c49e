import { Readable } from 'node:stream';
import { buildPyramid, type PointSource, pyramidBytes, pyramidPieces } from '#audio/peaks/peaks-pyramid.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import { second } from '#base/duration.ts';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { maxPeaksBytes, peaksFormat } from '#contract/limits.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { pyramidKeyOf, unfinishedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { rewriting } from '#server/storage/blobs/rewriting.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { blobSource } from './blob-source.ts';
import type { ServedRecording } from './etags.ts';

const maxPoints = maxPeaksBytes / peaksFormat.bytesPerPoint;
/** For imports, whose peaks this server may have made. */
const maxPointsOfFirst = (maxSoundMs / second) * peaksFormat.pointsPerSecond;

/** The peaks of one segment: where its points are drawn, and where its sound starts exactly. */
export interface PeaksRun {
  blobKey: string;
  startMs: number;
  startPoint: number;
  points: number;
}

/**
 * The positions of each segment's peaks on the recording's timeline; the time between segments is silence.
 * Segments add no points beyond the longest take, regardless of their number.
 */
export function peaksRunsOf(segments: readonly StoredSegment[]): PeaksRun[] {
  let endPoint = 0;
  return segments
    .filter(({ stream }) => stream === 'peaks')
    .map(({ blobKey, index, startMs, sizeBytes }) => {
      const startPoint = Math.max(endPoint, Math.round((startMs * peaksFormat.pointsPerSecond) / second));
      const stored = Math.floor(sizeBytes / peaksFormat.bytesPerPoint);
      const points =
        index === 0
          ? Math.min(stored, maxPointsOfFirst)
          : Math.min(stored, Math.max(0, maxPoints - startPoint));
      endPoint = startPoint + points;
      return { blobKey, startMs, startPoint, points };
    });
}

/** Returns how many points of peaks a recording has so far. */
export function peaksPointsOf(segments: readonly StoredSegment[]): number {
  const last = peaksRunsOf(segments).findLast(({ points }) => points > 0);
  return last ? last.startPoint + last.points : 0;
}

async function readPoints(
  blobs: BlobStore,
  runs: readonly PeaksRun[],
  { startPoint, endPointExclusive }: { startPoint: number; endPointExclusive: number },
): Promise<Int8Array> {
  const points = new Int8Array((endPointExclusive - startPoint) * peaksFormat.bytesPerPoint);
  for (const run of runs) {
    const from = Math.max(startPoint, run.startPoint);
    const to = Math.min(endPointExclusive, run.startPoint + run.points);
    if (from >= to) continue;
    const bytes = await blobs.read(run.blobKey, {
      startByte: (from - run.startPoint) * peaksFormat.bytesPerPoint,
      endByteExclusive: (to - run.startPoint) * peaksFormat.bytesPerPoint,
    });
    points.set(
      new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      (from - startPoint) * peaksFormat.bytesPerPoint,
    );
  }
  return points;
}

/** The peaks of all segments of a recording. */
export function peaksSource(blobs: BlobStore, segments: readonly StoredSegment[]): PointSource {
  const runs = peaksRunsOf(segments);
  return {
    points: peaksPointsOf(segments),
    read: (startPoint, endPointExclusive) => readPoints(blobs, runs, { startPoint, endPointExclusive }),
  };
}

/** Reads the first `limit` points of a recording's peaks. */
const readPeaks = (
  blobs: BlobStore,
  segments: readonly StoredSegment[],
  limit: number,
): Promise<Int8Array> => {
  const { points, read } = peaksSource(blobs, segments);
  return read(0, Math.min(limit, points));
};

const putAtOnceBytes = 4 * 1024 * 1024;

/** Writes the pyramid of finished peaks without holding it in memory. Returns its size. */
export async function storePyramid(blobs: BlobStore, key: string, source: PointSource): Promise<number> {
  const sizeBytes = pyramidBytes(source.points);
  if (sizeBytes <= putAtOnceBytes) {
    const pieces: Uint8Array[] = [];
    for await (const piece of pyramidPieces(source)) pieces.push(piece);
    await blobs.put(key, Buffer.concat(pieces));
    return sizeBytes;
  }
  const unfinishedKey = unfinishedKeyOf(key);
  const { append } = await rewriting(blobs, unfinishedKey);
  for await (const bytes of pyramidPieces(source)) await append(bytes);
  await blobs.move(unfinishedKey, key);
  return sizeBytes;
}

const mediaType = 'application/octet-stream';

/** The stored pyramid of a finished recording, or null. */
export async function storedPyramid(
  blobs: BlobStore,
  { recording, etagOf }: ServedRecording,
): Promise<ByteSource | null> {
  const blobKey = pyramidKeyOf(recording);
  const head = await blobs.head(blobKey);
  return (
    head &&
    blobSource(blobs, {
      blobKey,
      sizeBytes: head.sizeBytes,
      etag: etagOf(`pyramid-${recording.finished_at ?? 0}-${head.sizeBytes}`),
      mediaType,
    })
  );
}

/** Builds pyramids of growing recordings. The last one of each is cached for range requests. */
export function createPyramidBuilder(
  blobs: BlobStore,
): (served: ServedRecording, segments: readonly StoredSegment[], points: number) => Promise<ByteSource> {
  const built = new BoundedMap<string, { points: number; bytes: Buffer }>(16);
  return async ({ recording, etagOf }, segments, limit) => {
    const points = Math.min(limit, peaksPointsOf(segments));
    let pyramid = built.get(recording.id);
    if (pyramid?.points !== points) {
      pyramid = { points, bytes: Buffer.from(buildPyramid(await readPeaks(blobs, segments, points)).buffer) };
      built.set(recording.id, pyramid);
    }
    const { bytes } = pyramid;
    return {
      sizeBytes: bytes.length,
      etag: etagOf(`points-${points}`),
      mediaType,
      read: async ({ startByte, endByteExclusive }) => bytes.subarray(startByte, endByteExclusive),
      stream: ({ startByte, endByteExclusive }) =>
        Readable.from([bytes.subarray(startByte, endByteExclusive)], { objectMode: false }),
    };
  };
}
