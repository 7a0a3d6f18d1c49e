import type { UploadCapability } from '#contract/recordings.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import type { FileFacts, ImportRecord } from './import-record.ts';

/**
 * Why a file is refused before anything of it is sent: what is known to be unusable. What cannot be read here
 * is left to the server.
 */
export type FileRejectionReason = 'not-audio' | 'no-audio-track' | 'encrypted' | 'empty' | 'too-large';

/** `file-gone`: the file was moved, changed or removed before it was read to its end. */
export type ImportFailure = 'file-gone' | 'internal';

/**
 * What the page tells the import worker. One worker does one piece of work, reading or sending, and ends with
 * it.
 */
export type ToImportWorker =
  /**
   * Looks into the file, copies it to this device's private files while hashing it. `mayBeUnread`: also where
   * nothing says that there is sound in it.
   */
  | { type: 'read'; importId: string; file: File; mayBeUnread: boolean }
  /** Sends a file that was read; `file` where there is no copy of it. */
  | { type: 'send'; record: ImportRecord; file: File | null }
  | { type: 'attach'; upload: UploadCapability }
  /** Network is back or the page became visible: try now instead of waiting for the back-off. */
  | { type: 'nudge' };

/** What the import worker tells the page. */
export type FromImportWorker =
  | { type: 'reading'; doneBytes: number }
  | { type: 'read'; facts: FileFacts; sha256: string; hasCopy: boolean }
  | { type: 'rejected'; reason: FileRejectionReason }
  /** Nothing says that there is sound in the file, nor that there is none: nothing of it was copied. */
  | { type: 'unread' }
  | { type: 'attach-needed' }
  | { type: 'sending'; sentBytes: number; condition: UploadCondition }
  /** The peaks are made, or are left to the server. */
  | { type: 'peaks'; peaks: 'kept' | 'server' }
  /** The server holds every byte and was told that this is all. */
  | { type: 'receipt' }
  | { type: 'failed'; code: ImportFailure; detail: string };
