import { Readable } from 'node:stream';
import { buildPyramid } from '#audio/peaks/peaks-pyramid.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import { second } from '#base/duration.ts';
import { longestPeaksBytes, peaksFormat } from '#contract/limits.ts';
import type { ByteSource } from '../../../http/send-bytes.ts';
import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { RecordingRow } from '../../../storage/database/schema.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';
import { blobSource } from './blob-source.ts';

/** Where the pyramid of one finish lies: a finish that was overtaken writes beside the newer one, never over it. */
export const pyramidKeyOf = ({ id, finished_at: finishedAtMs }: Pick<RecordingRow, 'id' | 'finished_at'>): string =>
  `recordings/${id}/peaks-pyramid${finishedAtMs === null ? '' : `-${finishedAtMs}`}`;

const mostPoints = longestPeaksBytes / peaksFormat.bytesPerPoint;

interface PeaksRun { blobKey: string; startPoint: number; points: number }

/** Where each segment's peaks lie on the recording's timeline; the time between segments is silence. A segment adds none beyond the longest take, however many there are. */
function runsOf(segments: readonly StoredSegment[]): PeaksRun[] {
  let endPoint = 0;
  return segments.filter(({ stream }) => stream === 'peaks').map(({ blobKey, index, startMs, sizeBytes }) => {
    const startPoint = Math.max(endPoint, Math.round((startMs * peaksFormat.pointsPerSecond) / second));
    const stored = Math.floor(sizeBytes / peaksFormat.bytesPerPoint);
    const points = index === 0 ? stored : Math.min(stored, Math.max(0, mostPoints - startPoint));
    endPoint = startPoint + points;
    return { blobKey, startPoint, points };
  });
}

/** How many points of peaks a recording has so far. */
export function peaksPointsOf(segments: readonly StoredSegment[]): number {
  const last = runsOf(segments).findLast(({ points }) => points > 0);
  return last ? last.startPoint + last.points : 0;
}

/** The first `limit` points of a recording's peaks, from all of its segments. */
export async function readPeaks(blobs: BlobStore, segments: readonly StoredSegment[], limit: number): Promise<Int8Array> {
  const points = new Int8Array(Math.min(limit, peaksPointsOf(segments)) * peaksFormat.bytesPerPoint);
  for (const run of runsOf(segments)) {
    const startByte = run.startPoint * peaksFormat.bytesPerPoint;
    const sizeBytes = Math.min(run.points * peaksFormat.bytesPerPoint, points.length - startByte);
    if (sizeBytes <= 0) continue;
    const bytes = await blobs.read(run.blobKey, { startByte: 0, endByteExclusive: sizeBytes });
    points.set(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), startByte);
  }
  return points;
}

const mediaType = 'application/octet-stream';

/** The pyramid of a finished recording, as it lies in its blob. */
export async function storedPyramid(blobs: BlobStore, recording: RecordingRow): Promise<ByteSource | null> {
  const blobKey = pyramidKeyOf(recording);
  const head = await blobs.head(blobKey);
  return head && blobSource(blobs, { blobKey, sizeBytes: head.sizeBytes, etag: `"${recording.id}-pyramid-${recording.finished_at ?? 0}-${head.sizeBytes}"`, mediaType });
}

/** Builds pyramids of growing recordings; the last one of each is kept for the ranges that are read of it. */
export function createPyramidBuilder(blobs: BlobStore): (recordingId: string, segments: readonly StoredSegment[], points: number) => Promise<ByteSource> {
  const built = new BoundedMap<string, { points: number; bytes: Buffer }>(16);
  return async (recordingId, segments, limit) => {
    const points = Math.min(limit, peaksPointsOf(segments));
    let pyramid = built.get(recordingId);
    if (pyramid?.points !== points) {
      pyramid = { points, bytes: Buffer.from(buildPyramid(await readPeaks(blobs, segments, points)).buffer) };
      built.set(recordingId, pyramid);
    }
    const { bytes } = pyramid;
    return {
      sizeBytes: bytes.length, etag: `"${recordingId}-points-${points}"`, mediaType,
      read: async ({ startByte, endByteExclusive }) => bytes.subarray(startByte, endByteExclusive),
      stream: ({ startByte, endByteExclusive }) => Readable.from([bytes.subarray(startByte, endByteExclusive)], { objectMode: false }),
    };
  };
}
