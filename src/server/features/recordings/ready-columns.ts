import { overviewOfSource } from '#audio/peaks/peaks-overview.ts';
import type { Clock } from '#base/clock.ts';
import type { Gap } from '#contract/recordings.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { pyramidKeyOf } from '#server/storage/blobs/derived-keys.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import type { OggSegmentReader } from './media/ogg-segment.ts';
import { peaksSource, storePyramid } from './media/peaks-of.ts';
import { timelineOf } from './media/timeline.ts';
import { ownBytesOf } from './own-bytes.ts';
import type { RecordingWithCounts } from './recordings-store.ts';
import type { PlayableSegments } from './remux/remux-segments.ts';
import { sealedAudio } from './sealed-audio.ts';

/**
 * A gap caused by a killed page is at the end. If the server has more sound than the device had left, moves the
 * gap behind it.
 */
const behindSound = (gaps: readonly Gap[], statedMs: number, soundMs: number): Gap[] =>
  gaps.map((gap) =>
    gap.cause === 'page-killed' && gap.atMs >= statedMs ? { ...gap, atMs: Math.max(gap.atMs, soundMs) } : gap,
  );

/** The columns of a recording that becomes ready. `stored_bytes` counts its own files alone. */
export type ReadyColumns = Partial<RecordingRow> & Pick<RecordingRow, 'stored_bytes'>;

export interface ReadyColumnsDeps {
  /** The pyramid is written here. */
  blobs: BlobStore;
  clock: Clock;
  measure: OggSegmentReader;
}

/**
 * Writes the peaks pyramid of a recording, and computes the columns with which it becomes ready. Changes no row: a
 * publisher decides whether the recording may become ready, and removes the pyramid if not.
 *
 * Absurd timestamps show it as damaged: its playable part is played, the original stays, and nothing is retried.
 * @param row what is known of the recording; its `finished_at` is part of the pyramid's key
 * @param playable.hiddenBytes the size of stored files that something better replaces
 */
export async function readyColumns(
  { blobs, clock, measure }: ReadyColumnsDeps,
  row: RecordingWithCounts,
  {
    segments,
    hasAbsurdTimes,
    gaps,
    hiddenBytes = 0,
  }: PlayableSegments & { gaps: Gap[]; hiddenBytes?: number },
): Promise<ReadyColumns> {
  const audio = sealedAudio(segments);
  const { durationMs } = await timelineOf(segments, measure, { durationMs: row.duration_ms, gaps });
  const peaks = peaksSource(blobs, segments);
  const pyramidSizeBytes = await storePyramid(blobs, pyramidKeyOf(row), peaks);
  const [only] = audio;
  return {
    duration_ms: durationMs,
    gaps: JSON.stringify(behindSound(gaps, row.duration_ms, durationMs)),
    size_bytes: audio.reduce((sum, segment) => sum + segment.sizeBytes, 0),
    stored_bytes: ownBytesOf(segments, pyramidSizeBytes + hiddenBytes),
    sha256: audio.length === 1 && only ? only.sha256 : null,
    peaks_points: peaks.points,
    overview: Buffer.from(await overviewOfSource(peaks)).toString('base64'),
    distrusted_at: hasAbsurdTimes ? clock.nowMs() : null,
    container: row.container,
    codec: row.codec,
    sample_rate_hz: row.sample_rate_hz,
    channels: row.channels,
  };
}
