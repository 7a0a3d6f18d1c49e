import type { Format } from '#contract/formats.ts';
import type { Gap, RecordingDetails } from '#contract/recordings.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { Judgement } from './classify-file.ts';
import type { RemuxOne } from '#server/features/recordings/remux/remux-segments.ts';

export type FailureReason = NonNullable<RecordingDetails['failureReason']>;

/** A prepared import, or the reason why nothing in it can be played. */
export type PreparedImport =
  | { kind: 'rejected'; reason: FailureReason }
  | {
      kind: 'audio';
      /** The audio segment names the file that is played in its place, if there is one. Nothing was deleted yet. */
      segments: StoredSegment[];
      format: Format;
      durationMs: number | null;
      rendition: 'none' | 'ready' | 'failed';
      hasAbsurdTimes: boolean;
      /** Null if ffmpeg was missing. */
      judgement: Judgement | null;
      /** Where the file has no sound, although its times continue. */
      gaps: Gap[];
    };

export type AudioImport = Extract<PreparedImport, { kind: 'audio' }>;

/** `isJudged`: whether the judgement is complete; false if ffmpeg was missing. */
export interface PreparationResult {
  prepared: PreparedImport;
  isJudged: boolean;
}

export interface PrepareImportDeps {
  blobs: BlobStore;
  findFfmpeg: () => Promise<string | null>;
  remuxOne: RemuxOne;
}

export interface ImportTask {
  file: StoredSegment;
  segments: readonly StoredSegment[];
  wantsPeaks: boolean;
  /** The position of the track that the user chose, or null. */
  track: number | null;
  signal: AbortSignal;
}
