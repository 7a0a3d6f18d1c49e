import { z } from 'zod';
import { instantOf } from '#base/instant.ts';
import { gapSchema, pauseSchema, type Recording, type RecordingDetails } from '#contract/recordings.ts';
import type { StoredSegment, StoredSegments } from '../uploads/stored-segments.ts';
import type { OggSegmentReader } from './ogg-segment.ts';
import { peaksPointsOf } from './peaks-of.ts';
import type { RecordingWithCounts } from './recordings-store.ts';

/** What is known of a recording's length only by looking at its bytes, as long as they grow. */
interface Figures { durationMs: number; sizeBytes: number; peaksPoints: number }

const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instantOf(ms));

/** What the world sees of a recording, field by field. */
function presentRecording(row: RecordingWithCounts, figures: Figures): Recording {
  return {
    id: row.id, title: row.title, language: row.language, startedAt: instantOf(row.started_at), timeZone: row.time_zone,
    durationMs: figures.durationMs, state: row.state,
    format: { container: row.container, codec: row.codec, sampleRateHz: row.sample_rate_hz, channels: row.channels },
    sizeBytes: figures.sizeBytes, sha256: row.sha256, source: row.source, deviceLabel: row.device_label,
    peaksPoints: figures.peaksPoints, overview: row.overview, markerCount: row.marker_count,
    createdAt: instantOf(row.created_at), updatedAt: instantOf(row.updated_at), deletedAt: instantOrNull(row.deleted_at),
  };
}

const presentSegment = (segment: StoredSegment): RecordingDetails['segments'][number] => ({
  id: segment.uploadId, index: segment.index, startMs: segment.startMs, sizeBytes: segment.sizeBytes,
  sha256: segment.sha256, storedAt: instantOrNull(segment.sealedAtMs),
});

export interface RecordingView {
  figures(row: RecordingWithCounts): Promise<Figures>;
  recording(row: RecordingWithCounts): Promise<Recording>;
  details(row: RecordingWithCounts): Promise<RecordingDetails>;
}

/** Shows recordings; of those that still grow, how far they have come. */
export function createRecordingView({ storedSegments, measure }: { storedSegments: StoredSegments; measure: OggSegmentReader }): RecordingView {
  async function figuresOf(segments: readonly StoredSegment[]): Promise<Figures> {
    const audio = segments.filter(({ stream }) => stream === 'audio');
    const ends = await Promise.all(audio.map(async ({ blobKey, sizeBytes, startMs }) => {
      const playable = await measure(blobKey, sizeBytes);
      return playable.durationMs > 0 ? startMs + playable.durationMs : 0;
    }));
    return { durationMs: Math.max(0, ...ends), sizeBytes: audio.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), peaksPoints: peaksPointsOf(segments) };
  }

  async function figures(row: RecordingWithCounts): Promise<Figures> {
    if (row.state === 'ready') return { durationMs: row.duration_ms, sizeBytes: row.size_bytes, peaksPoints: row.peaks_points };
    return figuresOf(await storedSegments(row.id));
  }

  return {
    figures,
    recording: async (row) => presentRecording(row, await figures(row)),
    async details(row) {
      const segments = await storedSegments(row.id);
      return {
        ...presentRecording(row, row.state === 'ready' ? await figures(row) : await figuresOf(segments)),
        segments: segments.filter(({ stream }) => stream === 'audio').map(presentSegment),
        gaps: z.array(gapSchema).parse(JSON.parse(row.gaps)), pauses: z.array(pauseSchema).parse(JSON.parse(row.pauses)),
      };
    },
  };
}
