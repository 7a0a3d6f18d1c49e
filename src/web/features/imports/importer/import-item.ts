import type { CheckedFile } from '#contract/storage-api.ts';
import type { ImportedTrack, ImportRecord } from '#workers/import/import-record.ts';
import type { FileRejectionReason } from '#workers/import/messages.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

/** Recordings of the very same bytes that are on the server already. */
export type SameRecordings = CheckedFile['recordings'];

/** Why an import stopped where it is. `cut-off`: its page ended before the file was copied. */
export type ImportError = 'cut-off' | 'file-gone' | 'internal' | 'refused-by-server';

/** Where an import stands. */
export type ImportState =
  /** Another app or page handed the file over. Nothing is read or sent before somebody presses Import. */
  | { step: 'offered' }
  | { step: 'waiting' }
  | { step: 'reading'; doneBytes: number }
  /** `bytesPerSecond` and `leftMs` are null until enough was sent to tell. */
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
  /** Nobody could look inside: it is sent only if its owner says so. */
  | { step: 'unread' }
  | { step: 'rejected'; reason: FileRejectionReason }
  /** `quotaBytes`: what the person may use on the server; null where the server named none. */
  | { step: 'over-quota'; usedBytes: number | null; quotaBytes: number | null }
  | { step: 'failed'; error: ImportError }
  | { step: 'cancelled' }
  | { step: 'done' };

/** One import as the screen shows it. */
export interface ImportItem {
  /** Of the import and of its recording. */
  id: string;
  name: string;
  sizeBytes: number;
  sentBytes: number;
  /** There is no copy on this device yet: the page has to stay open. */
  needsPage: boolean;
  /** This device could not store a copy. */
  isCopyMissing: boolean;
  /** The user closed the list over it: only the badge of Import files counts it. */
  isPutAside: boolean;
  /** The audio tracks of a file that holds several. */
  tracks: readonly ImportedTrack[];
  state: ImportState;
}

/** All imports of this page, for whoever is in front of it. */
export interface ImportsView {
  rows: readonly ImportItem[];
  /** Names of files in chosen folders that are no audio. */
  leftOut: readonly string[];
  /** Names of files that the system did not let the page open. */
  unopened: readonly string[];
}

/** What an import that this page works at consists of. */
export interface ImportJob {
  record: ImportRecord;
  /** As the person gave it; null after the page was opened again: there is a copy then. */
  file: File | null;
  state: ImportState;
}

const active: ReadonlySet<ImportState['step']> = new Set(['waiting', 'reading', 'sending', 'sign-in']);

/** Whether an import goes on by itself, now or in its turn. */
export const isActive = ({ step }: ImportState): boolean => active.has(step);

/**
 * Where an import stands that an earlier page left. One of a signed-out user waits for whoever did not start
 * it in this tab.
 */
export function storedState(
  record: ImportRecord,
  { hasFile, isClaimed }: { hasFile: boolean; isClaimed: boolean },
): ImportState {
  if (!record.hasCopy && !hasFile) return { step: 'failed', error: 'cut-off' };
  if (record.isOffered === true) return { step: 'offered' };
  return record.isPaused || (record.ownerId === null && !isClaimed)
    ? { step: 'paused' }
    : { step: 'waiting' };
}

/** An import as the screen shows it. */
export function itemOf({ record, file, state }: ImportJob): ImportItem {
  const sentBytes = state.step === 'sending' ? state.sentBytes : record.sentBytes;
  const needsPage = file !== null && !record.hasCopy && isActive(state);
  return {
    id: record.id,
    name: record.name,
    sizeBytes: record.sizeBytes,
    state,
    sentBytes: state.step === 'done' ? record.sizeBytes : sentBytes,
    // The hash is known once the file was read to its end, and the copy was tried.
    needsPage,
    isCopyMissing: needsPage && record.sha256 !== null,
    isPutAside: record.isPutAside === true,
    tracks: record.facts?.tracks ?? [],
  };
}
