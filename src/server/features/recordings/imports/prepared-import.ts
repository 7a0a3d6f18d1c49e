import type { Format } from '#contract/formats.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { Judgement } from './judge-file.ts';
import type { DiscardOtherRemuxes, RemuxOne } from '#server/features/recordings/remux/remux-segments.ts';

export type FailureReason = NonNullable<RecordingDetails['failureReason']>;

/** An import once everything is made that can be made of it, or the reason why nothing can be heard of it. */
export type PreparedImport =
  | { kind: 'rejected'; reason: FailureReason }
  | {
      kind: 'audio';
      segments: StoredSegment[];
      format: Format;
      durationMs: number | null;
      rendition: 'none' | 'ready' | 'failed';
      hasAbsurdTimes: boolean;
      /** Null where no ffmpeg could judge it. */
      judgement: Judgement | null;
    };

export type AudioImport = Extract<PreparedImport, { kind: 'audio' }>;

/** `isJudged`: these rules have nothing more to say of it; false where there was no ffmpeg to ask. */
export interface PreparationResult {
  prepared: PreparedImport;
  isJudged: boolean;
}

export interface PrepareImportDeps {
  blobs: BlobStore;
  findFfmpeg: () => Promise<string | null>;
  remuxOne: RemuxOne;
  discardOtherRemuxes: DiscardOtherRemuxes;
}

export interface ImportTask {
  file: StoredSegment;
  segments: readonly StoredSegment[];
  wantsPeaks: boolean;
  /** The position of the track that the user chose; null where nobody chose. */
  track: number | null;
  signal: AbortSignal;
}
