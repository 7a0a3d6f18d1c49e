import type { RestoreMatch } from '#contract/restores-api.ts';
import type {
  ExportContents,
  ExportRejection,
  RecordingInExport,
  AccountImportFailure,
} from '#workers/account-import/messages.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** The contents of a chosen file, compared with what the server has. */
export interface AccountImportPlan {
  contents: ExportContents;
  /** The recordings to send, in the order of the file. */
  toSend: readonly RecordingInExport[];
  toSendBytes: number;
  hereCount: number;
  /** The recordings that are not sent because of what the server has. */
  rejected: readonly NotImported[];
  /** The bytes of recordings that need new space on the server. */
  neededBytes: number;
  /** What is left of the quota; null without a quota. */
  freeBytes: number | null;
}

export type NotImportedReason =
  | AccountImportFailure
  | Exclude<RestoreMatch, 'unused' | 'importing' | 'present'>
  | 'unreadable';
export interface NotImported {
  title: string;
  reason: NotImportedReason;
}

/** The progress of an import. */
export interface AccountImportProgress {
  /** The number of recordings of `toSend` that are finished, imported or not. */
  done: number;
  imported: number;
  failures: readonly NotImported[];
  /** Tags and saved views that were rejected. */
  rejectedItems: number;
  /** Lines and corrections of transcripts that were left out. */
  leftOutWords: number;
  /** The bytes of finished recordings. */
  doneBytes: number;
  /** Null until there is enough data. */
  speed: { bytesPerSecond: number; leftMs: number } | null;
  current: {
    title: string;
    sizeBytes: number;
    step: 'checking' | 'sending';
    bytes: number;
    condition: UploadCondition;
  } | null;
}

/** The bytes of a plan that are on the server or finished otherwise. */
export const sentBytesOf = ({
  doneBytes,
  current,
}: Pick<AccountImportProgress, 'doneBytes' | 'current'>): number =>
  doneBytes + (current?.step === 'sending' ? current.bytes : 0);

/** The state of the import of an export. */
export type AccountImportView =
  | { step: 'idle' }
  | { step: 'opening'; done: number; all: number }
  | { step: 'rejected'; reason: ExportRejection | AccountImportFailure }
  /** The server could not be reached. */
  | { step: 'unchecked'; error: unknown }
  | { step: 'ready'; plan: AccountImportPlan }
  | { step: 'running'; plan: AccountImportPlan; progress: AccountImportProgress }
  /** `error`: the server's reason why the import cannot continue; null if the user paused it. */
  | { step: 'paused'; plan: AccountImportPlan; progress: AccountImportProgress; error: unknown }
  | { step: 'ended'; plan: AccountImportPlan; progress: AccountImportProgress };
