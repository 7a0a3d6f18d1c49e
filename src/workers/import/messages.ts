import type { UploadCapability } from '#contract/recordings.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';
import type { FileFacts, ImportRecord } from './import-record.ts';

/**
 * Why a file is rejected before any of it is sent, if it is known to be unusable. A file that cannot be read here
 * is left to the server.
 */
export type FileRejectionReason =
  | 'not-audio'
  | 'no-audio-track'
  | 'encrypted'
  | 'empty'
  | 'too-large'
  | 'other-program'
  | 'archive';

/** A rejected file. `program`: the one that can read it, of `other-program`. */
export type RejectedFile =
  | { reason: Exclude<FileRejectionReason, 'other-program'> }
  | { reason: 'other-program'; program: string };

/** `file-gone`: the file was moved, changed or deleted before it was read completely. */
export type ImportFailure = 'file-gone' | 'internal';

/** Messages from the page to the import worker. One worker does one job, reading or sending, and then closes. */
export type ToImportWorker =
  /** Probes the file, and copies it to OPFS while hashing it. `mayBeUnread`: also if no sound is recognised in it. */
  | { type: 'read'; importId: string; file: File; mayBeUnread: boolean }
  /** Uploads a file that was read; `file` if there is no copy. */
  | { type: 'send'; record: ImportRecord; file: File | null }
  | { type: 'attach'; upload: UploadCapability }
  /** The answer to `decode-wanted`. */
  | { type: 'decode'; isAllowed: boolean }
  /** A take has started, which a fault in the decoder could end: stop decoding, and leave the waveform to the server. */
  | { type: 'stop-decoding' }
  /** The network is back or the page became visible: retry now instead of waiting for the back-off. */
  | { type: 'nudge' };

/** Messages from the import worker to the page. */
export type FromImportWorker =
  | { type: 'reading'; doneBytes: number }
  | { type: 'read'; facts: FileFacts; sha256: string; hasCopy: boolean }
  | { type: 'rejected'; rejected: RejectedFile }
  /** Neither sound nor its absence was recognised in the file; nothing was copied. */
  | { type: 'unread' }
  | { type: 'attach-needed' }
  | { type: 'sending'; sentBytes: number; condition: UploadCondition }
  /** The worker is about to decode the file, which may end the page, and waits for `decode`. */
  | { type: 'decode-wanted' }
  /** Decoding has ended, whether it succeeded or failed. */
  | { type: 'decoded' }
  /** The peaks are ready, or are left to the server. */
  | { type: 'peaks'; peaks: 'kept' | 'server' }
  /** The server has every byte and has finished the recording. */
  | { type: 'receipt' }
  | { type: 'failed'; code: ImportFailure; detail: string };
