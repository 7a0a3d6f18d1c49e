import { type PointRun } from '#audio/window/window-peaks.ts';
import { type PointSource, pyramidHeaderBytes, readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import { second } from '#base/duration.ts';
import { peaksFormat } from '#contract/limits.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { peaksRunsOf, peaksSource } from '#server/features/recordings/media/peaks-of.ts';
import { withMadePeaks } from '#server/features/recordings/remux/made-peaks.ts';
import { madePeaksKeyOf, pyramidKeyOf } from '#server/storage/blobs/derived-keys.ts';

const pointMs = second / peaksFormat.pointsPerSecond;

/** The finest peaks of a whole recording, with the exact times of their runs. */
export type FinestPeaks = Pick<PointSource, 'read'> & { runs: readonly PointRun[] };

/** The columns of a recording that its peaks depend on. */
type RecordingWithPeaks = Pick<RecordingRow, 'id' | 'state' | 'finished_at'>;

/** The finest level of the stored pyramid, which has the peaks that the server made; null if there is none. */
async function storedPoints(blobs: BlobStore, recording: RecordingWithPeaks): Promise<PointSource | null> {
  const blobKey = pyramidKeyOf(recording);
  if (recording.state !== 'ready' || (await blobs.head(blobKey)) === null) return null;
  const header = readPyramidHeader(
    await blobs.read(blobKey, { startByte: 0, endByteExclusive: pyramidHeaderBytes }),
  );
  const finest = header?.levels.at(-1);
  if (finest === undefined) return null;
  return {
    points: finest.points,
    async read(startPoint, endPointExclusive) {
      const bytes = await blobs.read(blobKey, {
        startByte: finest.offsetBytes + startPoint * peaksFormat.bytesPerPoint,
        endByteExclusive: finest.offsetBytes + endPointExclusive * peaksFormat.bytesPerPoint,
      });
      return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  };
}

/**
 * The runs of a recording's peaks. The server's own peaks have no runs that are stored: the sound of their points
 * starts within a point's length of the point.
 */
function runsOf(segments: readonly StoredSegment[], points: number): PointRun[] {
  const audio = segments.filter(({ stream }) => stream === 'audio');
  const runs = peaksRunsOf(segments).map((run) => ({ ...run, toleranceMs: 0 }));
  if (runs.length === audio.length || runs.some((run) => run.points === 0)) return runs;
  return [{ startPoint: 0, points, startMs: 0, toleranceMs: audio.length > 1 ? pointMs : 0 }];
}

/** The finest peaks of a recording: the stored ones, or those that have arrived so far. */
export async function finestPeaksOf(
  blobs: BlobStore,
  recording: RecordingWithPeaks,
  segments: readonly StoredSegment[],
): Promise<FinestPeaks> {
  const { points, read } =
    (await storedPoints(blobs, recording)) ?? peaksSource(blobs, await withMadePeaks(blobs, segments));
  return { read, runs: runsOf(segments, points) };
}

/** Whether this server has measured the sound of a recording, and did not receive its waveform from a device. */
async function isMeasured(
  blobs: BlobStore,
  { source }: Pick<RecordingRow, 'source'>,
  segments: readonly StoredSegment[],
): Promise<boolean> {
  const audio = segments.find(({ stream }) => stream === 'audio');
  return source === 'import' && audio !== undefined && (await blobs.head(madePeaksKeyOf(audio))) !== null;
}

/** The waveform of a whole recording as this server has measured it; null if it has not. */
export async function measuredWaveform(
  blobs: BlobStore,
  recording: RecordingWithPeaks & Pick<RecordingRow, 'source'>,
  segments: readonly StoredSegment[],
): Promise<PointSource | null> {
  if (!(await isMeasured(blobs, recording, segments))) return null;
  const { runs, read } = await finestPeaksOf(blobs, recording, segments);
  const points = Math.max(0, ...runs.map((run) => run.startPoint + run.points));
  return points === 0 ? null : { points, read };
}
