import type { ExportedAccount, ExportedRecording } from '#contract/account-export.ts';
import type { UploadCapability } from '#contract/recordings.ts';
import type { RestoredLabels, RestoredRecording, RestoredTranscript } from '#contract/restores-api.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** The facts about a recording of an export that the page needs. */
export interface RecordingInExport {
  /** Its folder in the ZIP. */
  folder: string;
  id: string;
  title: string;
  startedAtMs: number;
  durationMs: number;
  /** Total size of its files. */
  sizeBytes: number;
  files: Pick<ExportedRecording['files'][number], 'uploadId' | 'sha256'>[];
}

/** The contents of an export. */
export interface ExportContents {
  recordings: RecordingInExport[];
  /** Names of folders whose description is missing or unreadable. */
  unreadable: string[];
  account: ExportedAccount;
}

/** Why a file is not an importable export. `newer`: a later version of Earshot made it. */
export type ExportRejection = 'not-zip' | 'not-export' | 'newer' | 'damaged';

/** Why one recording cannot be imported. `file-gone`: the ZIP was moved or changed while it was being read. */
export type AccountImportFailure = 'damaged' | 'file-gone' | 'rejected-by-server' | 'internal';

/** Messages from the page to the account import worker. */
export type ToAccountImportWorker =
  /** Reads the contents of a file. */
  | { type: 'open'; file: File }
  /** Uploads one recording of it; one at a time. */
  | { type: 'restore'; file: File; folder: string }
  | { type: 'attach'; upload: UploadCapability }
  /** The server has stored the labels or the words. */
  | { type: 'stored' }
  /** The network is back or the page became visible: retry now instead of waiting for the back-off. */
  | { type: 'nudge' };

/** Messages from the account import worker to the page. */
export type FromAccountImportWorker =
  | { type: 'opening'; done: number; all: number }
  | { type: 'opened'; contents: ExportContents }
  | { type: 'rejected'; reason: ExportRejection }
  /** Bytes of the recording that were read and verified. */
  | { type: 'checked'; checkedBytes: number }
  /** Requests a capability for this recording. */
  | { type: 'attach-needed'; recordingId: string; description: RestoredRecording }
  /** Requests that these labels are stored before the upload starts. */
  | { type: 'labels'; recordingId: string; labels: RestoredLabels }
  /** Requests that a part of the transcript is stored. */
  | { type: 'transcript'; recordingId: string; transcript: RestoredTranscript }
  /** So many lines and corrections of the transcript cannot be read. */
  | { type: 'unreadable-words'; count: number }
  | { type: 'sending'; sentBytes: number; condition: UploadCondition }
  | { type: 'restored' }
  | { type: 'failed'; reason: AccountImportFailure; detail: string };
