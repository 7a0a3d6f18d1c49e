import { fileTime, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { CheckedFile } from '#contract/storage-api.ts';
import { type ImportedTrack, type ImportRecord, recordingIdOf } from '#workers/import/import-record.ts';
import type { RejectedFile } from '#workers/import/messages.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** Recordings on the server with identical bytes. */
export type SameRecordings = CheckedFile['recordings'];

/** The reason why an import stopped. `cut-off`: its page was closed before the file was copied. */
export type ImportError = 'cut-off' | 'file-gone' | 'internal' | 'rejected-by-server';

/** The state of an import. */
export type ImportState =
  /** Another app or page handed the file over. Nothing is read or sent before the user presses Import. */
  | { step: 'offered' }
  | { step: 'waiting' }
  | { step: 'reading'; doneBytes: number }
  /** `bytesPerSecond` and `leftMs` are null until there is enough data. */
  | {
      step: 'sending';
      sentBytes: number;
      condition: UploadCondition;
      bytesPerSecond: number | null;
      leftMs: number | null;
    }
  | { step: 'sign-in' }
  | { step: 'paused' }
  | { step: 'duplicate'; of: SameRecordings }
  /** The file could not be inspected. It is sent only if the user says so. */
  | { step: 'unread' }
  | ({ step: 'rejected' } & RejectedFile)
  /** `quotaBytes`: the user's quota on the server; null if the server named none. */
  | { step: 'over-quota'; usedBytes: number | null; quotaBytes: number | null }
  | { step: 'failed'; error: ImportError }
  | { step: 'cancelled' }
  /** The server has the whole file, and checks what is in it. */
  | { step: 'checking' }
  /** The server stores the file, and nothing in it can be played. */
  | { step: 'unplayable' }
  | { step: 'done' };

/** One import as the screen shows it. */
export interface ImportItem {
  /** The id of the import. */
  id: string;
  /** The id of the recording that it becomes. */
  recordingId: string;
  /** It sends what an interrupted import of the same file left out. */
  isContinuing: boolean;
  name: string;
  sizeBytes: number;
  sentBytes: number;
  /** There is no copy on this device yet, so the page has to stay open. */
  needsPage: boolean;
  /** This device could not store a copy. */
  isCopyMissing: boolean;
  /** The user closed the list with this import in it. Only the badge of Import files counts it. */
  isPutAside: boolean;
  /** The audio tracks of a file that has several. */
  tracks: readonly ImportedTrack[];
  /** The date of the file, if nothing says when it was recorded and the user has not answered whether to use it. */
  proposedTime: RecordedTime | null;
  state: ImportState;
}

/** All imports of this page that the current user may see. */
export interface ImportsView {
  rows: readonly ImportItem[];
  /** Names of files in chosen folders that are not audio. */
  leftOut: readonly string[];
  /** Names of files that the system did not let the page open. */
  unopened: readonly string[];
}

/** The data of an import that this page works on. */
export interface ImportJob {
  record: ImportRecord;
  /** The file that the user chose; null after the page was reopened, when there is a copy. */
  file: File | null;
  state: ImportState;
}

const active: ReadonlySet<ImportState['step']> = new Set(['waiting', 'reading', 'sending', 'sign-in']);

/** The states in which the server has the whole file. */
const arrived: ReadonlySet<ImportState['step']> = new Set(['checking', 'unplayable', 'done']);

/** Whether the server has the whole file. */
export const hasArrived = ({ step }: ImportState): boolean => arrived.has(step);

/** Whether an import continues without the user, now or in its turn. */
export const isActive = ({ step }: ImportState): boolean => active.has(step);

/**
 * The state of an import that an earlier page left. One without an owner stays paused in a tab that did not start
 * it.
 */
export function storedState(
  record: ImportRecord,
  { hasFile, isClaimed }: { hasFile: boolean; isClaimed: boolean },
): ImportState {
  if (record.isUploaded === true) return { step: 'checking' };
  if (!record.hasCopy && !hasFile) return { step: 'failed', error: 'cut-off' };
  if (record.isOffered === true) return { step: 'offered' };
  return record.isPaused || (record.ownerId === null && !isClaimed)
    ? { step: 'paused' }
    : { step: 'waiting' };
}

/** The state of an import that is about to be sent. */
export const unattachedState = ({ sentBytes }: ImportRecord): ImportState => ({
  step: 'sending',
  sentBytes,
  condition: 'unattached',
  bytesPerSecond: null,
  leftMs: null,
});

/** The states in which a date is proposed: the file becomes a recording, or is one. */
const dated: ReadonlySet<ImportState['step']> = new Set(['waiting', 'sending', 'paused', 'checking', 'done']);

export function proposedTimeOf({ record, state }: ImportJob): RecordedTime | null {
  const { facts, modifiedAtMs = null, isDateLeftUnknown } = record;
  return modifiedAtMs !== null &&
    isDateLeftUnknown !== true &&
    facts?.recordedTime?.kind === 'unknown' &&
    dated.has(state.step)
    ? fileTime(modifiedAtMs)
    : null;
}

/** An import as the screen shows it. */
export function itemOf(job: ImportJob): ImportItem {
  const { record, file, state } = job;
  const sentBytes = state.step === 'sending' ? state.sentBytes : record.sentBytes;
  const needsPage = file !== null && !record.hasCopy && isActive(state);
  return {
    id: record.id,
    recordingId: recordingIdOf(record),
    isContinuing: record.continuedRecordingId !== undefined,
    name: record.name,
    sizeBytes: record.sizeBytes,
    state,
    sentBytes: hasArrived(state) ? record.sizeBytes : sentBytes,
    // The hash is known once the whole file was read and the copy was tried.
    needsPage,
    isCopyMissing: needsPage && record.sha256 !== null,
    isPutAside: record.isPutAside === true,
    tracks: record.facts?.tracks ?? [],
    proposedTime: proposedTimeOf(job),
  };
}
