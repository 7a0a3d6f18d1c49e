import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { RegisterRecording, UploadCapability } from '#contract/recordings.ts';

/** What a file is made of; a format that only the server can tell is `other`, `unknown`. */
export type FileFormat = RegisterRecording['format'];

/** What a file turned out to be, before anything is sent. */
export interface FileFacts {
  format: FileFormat;
  /** By the file's own word; null where it does not say. */
  durationMs: number | null;
  title: string;
  /** Missing in records of older versions, which have `startedAtMs` instead. */
  recordedTime?: RecordedTime;
  startedAtMs?: number;
  /**
   * The audio tracks of a file that holds several, as it names them. Missing where there is one, and in
   * records of older versions.
   */
  tracks?: readonly ImportedTrack[];
}

export interface ImportedTrack {
  /** Empty where the file has none. */
  title: string;
  /** ISO 639-2; null where the file does not say. */
  language: string | null;
}

/**
 * What the device knows of an import: the value of the IndexedDB store `imports` (database
 * `earshot-imports`), keyed by id.
 */
export interface ImportRecord {
  /** Of the import and of the recording that it becomes. */
  id: string;
  ownerId: string | null;
  /** The file's own name, without its folder. */
  name: string;
  mediaType: string;
  sizeBytes: number;
  timeZone: string;
  /** Null until the file was read to its end. */
  facts: FileFacts | null;
  sha256: string | null;
  /** A copy lies in `imports/<id>` of the browser's private file system: the import outlives its page. */
  hasCopy: boolean;
  /** The person knows that these bytes are on the server already and wants them again. */
  mayRepeat: boolean;
  /**
   * The person wants the file sent although nothing says that there is sound in it. Missing in records of
   * older versions.
   */
  mayBeUnread?: boolean;
  isRegistered: boolean;
  isPaused: boolean;
  /**
   * Another app or page handed the file over, and nobody has pressed Import yet. Missing in records of older
   * versions.
   */
  isOffered?: boolean;
  /**
   * The user closed the list while this import had failed or waited for an answer. Missing in records of
   * older versions.
   */
  isPutAside?: boolean;
  upload: UploadCapability | null;
  audioUploadId: string;
  peaksUploadId: string;
  /** `kept`: in `imports/<id>.peaks`; `server`: this browser cannot decode the file, the server will. */
  peaks: 'unknown' | 'kept' | 'server';
  /** Writer epoch; one more with every thread that sends. */
  epoch: number;
  /** What the server was last known to hold. */
  sentBytes: number;
  cancelledAtMs: number | null;
  createdAtMs: number;
}
