import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { RegisterRecording, UploadCapability } from '#contract/recordings.ts';

/** The format of a file; a format that only the server can determine is `other`, `unknown`. */
export type FileFormat = RegisterRecording['format'];

/** Facts read from a file before anything is sent. */
export interface FileFacts {
  format: FileFormat;
  /** As stated by the file; null if it states none. */
  durationMs: number | null;
  title: string;
  /** Missing in records of older versions, which have `startedAtMs` instead. */
  recordedTime?: RecordedTime;
  startedAtMs?: number;
  /**
   * The audio tracks of a file with several, as named in the file. Missing for a single track, and in records of
   * older versions.
   */
  tracks?: readonly ImportedTrack[];
}

export interface ImportedTrack {
  /** Empty if the file has none. */
  title: string;
  /** ISO 639-2; null if the file has none. */
  language: string | null;
}

/**
 * The device's record of an import: a value of the IndexedDB store `imports` (database `earshot-imports`), with
 * its id as the key.
 */
export interface ImportRecord {
  /** The id of the import, and of its recording unless it continues another one. */
  id: string;
  /** The recording that an interrupted import left incomplete and that this one completes. Missing: its own. */
  continuedRecordingId?: string;
  ownerId: string | null;
  /** The file's name without its folder. */
  name: string;
  mediaType: string;
  sizeBytes: number;
  timeZone: string;
  /** When the file was last changed; null if unknown. Missing in records of older versions. */
  modifiedAtMs?: number | null;
  /** True if the user leaves the date unknown. Missing in records of older versions. */
  isDateLeftUnknown?: boolean;
  /** Null until the file was read completely. */
  facts: FileFacts | null;
  sha256: string | null;
  /** True if `imports/<id>` in OPFS has a copy, so that the import outlives its page. */
  hasCopy: boolean;
  /** True if the user knows that these bytes are already on the server and wants them again. */
  mayRepeat: boolean;
  /**
   * True if the user wants the file sent although no sound was recognised in it. Missing in records of older
   * versions.
   */
  mayBeUnread?: boolean;
  isRegistered: boolean;
  isPaused: boolean;
  /**
   * True if another app or page shared the file and the user has not pressed Import yet. Missing in records of
   * older versions.
   */
  isOffered?: boolean;
  /**
   * True if the user closed the list while this import had failed or waited for an answer. Missing in records of
   * older versions.
   */
  isPutAside?: boolean;
  upload: UploadCapability | null;
  audioUploadId: string;
  peaksUploadId: string;
  /** `kept`: stored in `imports/<id>.peaks`; `server`: this browser cannot decode the file, so the server will. */
  peaks: 'unknown' | 'kept' | 'server';
  /** Writer epoch, raised by every worker that uploads. */
  epoch: number;
  /** Last known offset of the server. */
  sentBytes: number;
  /**
   * True if the server has the whole file and has not judged it yet. Nothing of the file is on this device any more.
   * Missing in records of older versions.
   */
  isUploaded?: boolean;
  cancelledAtMs: number | null;
  createdAtMs: number;
}

/** The id of the recording that an import becomes. */
export const recordingIdOf = ({ id, continuedRecordingId }: ImportRecord): string =>
  continuedRecordingId ?? id;
