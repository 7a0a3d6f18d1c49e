import type { ExportedAccount, ExportedRecording } from '#contract/account-export.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { RestoredLabels, RestoredRecording } from '#contract/restores-api.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** A recording of an export, as much of it as the page needs. */
export interface RecordingInExport {
  /** Names it inside the ZIP. */
  folder: string;
  id: string;
  title: string;
  startedAtMs: number;
  durationMs: number;
  /** Of all its files. */
  sizeBytes: number;
  files: Pick<ExportedRecording['files'][number], 'uploadId' | 'sha256'>[];
}

/** What is in an export. */
export interface ExportContents {
  recordings: RecordingInExport[];
  /** Names of folders whose description is missing or cannot be read. */
  unreadable: string[];
  account: ExportedAccount;
}

/** Why a file is no export that can be put back. `newer`: a later version of Earshot made it. */
export type ExportRejection = 'not-zip' | 'not-export' | 'newer' | 'damaged';

/**
 * Why one recording cannot be put back. `file-gone`: the ZIP was moved or changed while it was being read.
 */
export type AccountImportFailure = 'damaged' | 'file-gone' | 'refused-by-server' | 'internal';

/** What the page tells the restore worker. */
export type ToAccountImportWorker =
  /** Looks what is in a file. */
  | { type: 'open'; file: File }
  /** Sends one recording of it; one at a time. */
  | { type: 'restore'; file: File; folder: string }
  | { type: 'attach'; upload: UploadCapability }
  /** The server has the labels. */
  | { type: 'labelled' }
  /** Network is back or the page became visible: try now instead of waiting for the back-off. */
  | { type: 'nudge' };

/** What the restore worker tells the page. */
export type FromAccountImportWorker =
  | { type: 'opening'; done: number; all: number }
  | { type: 'opened'; contents: ExportContents }
  | { type: 'rejected'; reason: ExportRejection }
  /** Bytes of the recording that were read and found whole. */
  | { type: 'checked'; checkedBytes: number }
  /** Wants the right to send this recording. */
  | { type: 'attach-needed'; recordingId: string; description: RestoredRecording }
  /** Wants these labels stored before anything else. */
  | { type: 'labels'; recordingId: string; labels: RestoredLabels }
  | { type: 'sending'; sentBytes: number; condition: UploadCondition }
  | { type: 'restored' }
  | { type: 'failed'; reason: AccountImportFailure; detail: string };
