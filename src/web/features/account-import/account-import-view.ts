import type { RestoreState } from '#contract/restores-api.ts';
import type {
  ExportContents,
  ExportRejection,
  RecordingInExport,
  AccountImportFailure,
} from '#workers/account-import/messages.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** What is in a chosen file, and how that stands to what is on the server. */
export interface AccountImportPlan {
  contents: ExportContents;
  /** What is sent, in the order of the file. */
  toSend: readonly RecordingInExport[];
  toSendBytes: number;
  hereCount: number;
  /** What is not sent because of what the server has. */
  rejected: readonly NotImported[];
  /** Of what has no room on the server yet. */
  neededBytes: number;
  /** What is left of the quota; null where there is none. */
  freeBytes: number | null;
}

export type NotImportedReason =
  | AccountImportFailure
  | Exclude<RestoreState, 'new' | 'begun' | 'there'>
  | 'unreadable';
export interface NotImported {
  title: string;
  reason: NotImportedReason;
}

/** How far it is. */
export interface AccountImportProgress {
  /** Of `toSend`, what was dealt with. */
  done: number;
  imported: number;
  failures: readonly NotImported[];
  /** Tags and saved views that were refused. */
  rejectedItems: number;
  /** Bytes of recordings that were dealt with. */
  doneBytes: number;
  /** Null until there is enough to tell. */
  speed: { bytesPerSecond: number; leftMs: number } | null;
  current: {
    title: string;
    sizeBytes: number;
    step: 'checking' | 'sending';
    bytes: number;
    condition: UploadCondition;
  } | null;
}

/** How much of a plan is on the server by now, or was dealt with otherwise. */
export const sentBytesOf = ({
  doneBytes,
  current,
}: Pick<AccountImportProgress, 'doneBytes' | 'current'>): number =>
  doneBytes + (current?.step === 'sending' ? current.bytes : 0);

/** Where the import of an export stands. */
export type AccountImportView =
  | { step: 'idle' }
  | { step: 'opening'; done: number; all: number }
  | { step: 'rejected'; reason: ExportRejection | AccountImportFailure }
  /** The server could not be asked. */
  | { step: 'unasked'; error: unknown }
  | { step: 'ready'; plan: AccountImportPlan }
  | { step: 'running'; plan: AccountImportPlan; progress: AccountImportProgress }
  /** `error`: what the server said that it cannot go on by itself; null where somebody paused it. */
  | { step: 'paused'; plan: AccountImportPlan; progress: AccountImportProgress; error: unknown }
  | { step: 'ended'; plan: AccountImportPlan; progress: AccountImportProgress };
