import { z } from 'zod';
import { instantOf, instantOrNull } from '#base/instant.ts';
import { nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import { limits } from '#contract/limits.ts';
import {
  audioTrackSchema,
  channelNameSchema,
  maxQuieterDb,
  type HistoryEntry,
  type ImportedFile,
  pauseSchema,
  type Recording,
  type RecordingDetails,
} from '#contract/recordings.ts';
import type { Database } from '#server/storage/database/database.ts';
import { believableCount, believableSilence } from '#server/storage/rows/believable.ts';
import { timeOfRow, zoneOrUtc } from '#server/storage/rows/stored-time.ts';
import { storedList } from '#server/storage/rows/stored-list.ts';
import type { RecordingChangeRow } from '#server/storage/database/schema.ts';
import { passagesOf } from '#server/storage/rows/passages.ts';
import { changesOf } from '#server/storage/rows/recording-changes.ts';
import type { StoredSegments } from '#server/features/uploads/stored-segments.ts';
import { isJoinable, type OggSegmentReader } from './media/ogg-segment.ts';
import { peaksPointsOf } from './media/peaks-of.ts';
import type { RecordingWithCounts } from './recordings-store.ts';
import { createGrowingRecordings, type MeasuredRecording } from './media/growing-recordings.ts';
import type { TimedSegment } from './media/timeline.ts';

/** Figures that must be measured from the files while a recording grows. */
interface Figures {
  durationMs: number;
  sizeBytes: number;
  peaksPoints: number;
}

function presentFile({
  file_name: name,
  file_media_type: mediaType,
  file_size_bytes: sizeBytes,
  file_sha256: sha256,
}: RecordingWithCounts): ImportedFile | null {
  return name === null || mediaType === null || sizeBytes === null
    ? null
    : { name, mediaType, sizeBytes: believableCount(sizeBytes), sha256 };
}

/** The API representation of a recording. */
function presentRecording(row: RecordingWithCounts, figures: Figures): Recording {
  const people = storedList(z.string(), row.people);
  return {
    id: row.id,
    title: row.title,
    language: row.language,
    recordedTime: timeOfRow(row),
    startedAt: instantOf(row.started_at),
    timeZone: zoneOrUtc(row),
    durationMs: figures.durationMs,
    state: row.state,
    format: {
      container: row.container,
      codec: row.codec,
      sampleRateHz: row.sample_rate_hz,
      channels: row.channels,
    },
    sizeBytes: figures.sizeBytes,
    sha256: row.sha256,
    source: row.source,
    file: presentFile(row),
    rendition: row.rendition ?? 'none',
    deviceLabel: row.device_label,
    peaksPoints: figures.peaksPoints,
    overview: row.overview,
    markerCount: row.marker_count,
    people: people ?? [],
    tagIds: row.tag_ids,
    isFavourite: row.is_favourite,
    damagedAt: instantOrNull(
      row.damaged_at ?? row.distrusted_at ?? (people === null ? row.updated_at : null),
    ),
    createdAt: instantOf(row.created_at),
    updatedAt: instantOf(row.updated_at),
    deletedAt: instantOrNull(row.deleted_at),
  };
}

const presentSegment = ({ segment, durationMs }: TimedSegment): RecordingDetails['segments'][number] => ({
  id: segment.uploadId,
  index: segment.index,
  startMs: segment.startMs,
  durationMs,
  container: segment.container,
  sizeBytes: segment.sizeBytes,
  sha256: segment.sha256,
  storedAt: instantOrNull(segment.sealedAtMs),
  verifiedAt: instantOrNull(segment.verifiedAtMs),
  damagedAt: instantOrNull(segment.damagedAtMs),
});

const presentChange = (row: RecordingChangeRow): HistoryEntry => ({
  at: instantOf(row.at),
  kind: row.kind,
  deviceLabel: row.device_label,
  fromMs: row.from_ms,
  durationMs: row.duration_ms,
  count: row.count,
});

export interface RecordingView {
  figures(row: RecordingWithCounts): Promise<Figures>;
  recording(row: RecordingWithCounts): Promise<Recording>;
  details(row: RecordingWithCounts): Promise<RecordingDetails>;
}

/** Presents recordings; growing ones with their current length. */
export function createRecordingView({
  database: { queries },
  storedSegments,
  measure,
}: {
  database: Database;
  storedSegments: StoredSegments;
  measure: OggSegmentReader;
}): RecordingView {
  const measureGrowing = createGrowingRecordings({ storedSegments, measure });
  const stored = (row: RecordingWithCounts): Figures => ({
    durationMs: row.duration_ms,
    sizeBytes: row.size_bytes,
    peaksPoints: row.peaks_points,
  });
  const growing = ({ timeline, segments }: MeasuredRecording): Figures => ({
    durationMs: timeline.durationMs,
    peaksPoints: peaksPointsOf(segments),
    sizeBytes: segments
      .filter(({ stream }) => stream === 'audio')
      .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  });
  const figures = async (row: RecordingWithCounts): Promise<Figures> =>
    row.state === 'ready' ? stored(row) : growing(await measureGrowing(row));

  return {
    figures,
    recording: async (row) => presentRecording(row, await figures(row)),
    async details(row) {
      const measured = await measureGrowing(row);
      const known = measured.timeline;
      return {
        ...presentRecording(row, row.state === 'ready' ? stored(row) : growing(measured)),
        segments: known.segments.map(presentSegment),
        gaps: known.gaps,
        storedMs: known.storedMs,
        pauses: storedList(pauseSchema, row.pauses) ?? [],
        microphoneSilenceMs: believableSilence(row.microphone_silence_ms),
        passages: await passagesOf(queries, row.id),
        failureReason: row.failure_reason,
        history: (await changesOf(queries, row.id)).map(presentChange),
        audioTracks: row.tracks === null ? [] : (storedList(audioTrackSchema, row.tracks) ?? []),
        channelNames:
          row.channel_names === null ? [] : (storedList(channelNameSchema, row.channel_names) ?? []),
        quieterByDb:
          row.quieter_db === null ? null : nearestWithin(row.quieter_db, { min: 0, max: maxQuieterDb }),
        audioSectionMs: measured.segments.some(isJoinable) ? limits.audioSectionMs : null,
      };
    },
  };
}
