import type { Quality } from '#contract/limits.ts';
import type { SegmentPlaces } from './stream-places.ts';
import type { Gap, Pause, UploadCapability } from '#contract/recordings.ts';
import { currentChanges, type PendingChange } from './pending-change.ts';
import { knownLengthMs } from './take-length.ts';

/** A named moment of a take. */
export interface TakeMarker {
  id: string;
  atMs: number;
  label: string;
}

/** A text about a moment of the take. */
export interface TakeNote {
  id: string;
  atMs: number;
  text: string;
}

/** The notes of a stored take, without their upload state. */
export const notesOf = ({ notes = [] }: { notes?: readonly TakeNote[] | undefined }): TakeNote[] =>
  notes.map(({ id, atMs, text }) => ({ id, atMs, text }));

/** A passage of a take that its user took off the record. */
export interface TakePassage {
  id: string;
  /** When it was started. */
  atMs: number;
  /** When it was ended; null until then. */
  toMs: number | null;
  /** What the server withholds from links; null until it has confirmed it, `rejected` if it never will. */
  stored: { fromMs: number; toMs: number | null } | 'rejected' | null;
}

/** Whether a take is off the record since a passage was started, as far as this device knows. */
export const isOpenPassage = ({ toMs, stored }: Pick<TakePassage, 'toMs' | 'stored'>): boolean =>
  toMs === null && stored !== 'rejected';

/** A segment of a take: two append-only streams, each with its own upload. */
export interface TakeSegment extends SegmentPlaces {
  index: number;
  startMs: number;
  container: 'ogg' | 'webm' | 'mp4';
  /** Writer epoch; each recovery raises it by one. */
  epoch: number;
}

/**
 * Why the server will never take a take. `deleted`: its owner deleted the recording permanently. `taken`: another
 * account has a recording with its id. `finished`: the recording was finished too long ago to accept more. `invalid`:
 * the server does not accept its details. `not-audio`: the server reads no audio in its first bytes.
 */
export type Rejection = 'deleted' | 'taken' | 'finished' | 'invalid' | 'not-audio';

/** The rejection for an error code of the server that `failureOfCode` calls `never`. */
export function rejectionOfCode(code: string): Rejection {
  if (code === 'purged') return 'deleted';
  if (code === 'not-found') return 'taken';
  return code === 'already-finished' ? 'finished' : 'invalid';
}

/** A note as the device stores it. `sentText`: the text that the server has; null if it has none. */
export type StoredNote = TakeNote & { sentText: string | null };

/** A note in a page. `sentText` as in `StoredNote`, as far as the page knows. */
export type PageNote = TakeNote & { sentText?: string | null };

/** A take as stored in the IndexedDB store `takes` (database `earshot`), keyed by id. */
export interface TakeRecord {
  id: string;
  ownerId: string | null;
  title: string;
  startedAtMs: number;
  timeZone: string;
  quality: Quality;
  deviceLabel: string | null;
  sampleRateHz: number;
  channels: number;
  /**
   * `recording` until the journal is closed. If a take has this state and no worker holds its lock, its tab was
   * lost.
   */
  state: 'recording' | 'stopped';
  segments: TakeSegment[];
  markers: (TakeMarker & { sent: boolean })[];
  /** Missing in records of earlier builds. */
  notes?: readonly StoredNote[] | undefined;
  /** Missing in records of earlier builds. */
  passages?: readonly TakePassage[] | undefined;
  gaps: Gap[];
  pauses: Pause[];
  /** Null while nothing has measured it. 0 means that there is no sound. */
  durationMs: number | null;
  /**
   * For how long the microphone delivered silence, as saved last; null if nothing measured it. Missing in records of
   * earlier builds.
   */
  microphoneSilenceMs?: number | null | undefined;
  sizeBytes: number;
  upload: UploadCapability | null;
  /** When the server confirmed that it has every byte. */
  receiptAtMs: number | null;
  deletedAtMs: number | null;
  /** The move to the trash was undone, so that its links are as before. Missing means no: a restore leaves them off. */
  isTrashUndone?: boolean | undefined;
  /**
   * The take was stopped and then resumed, and the server, which may have finished the recording, does not know
   * yet. Missing means no.
   */
  goesOn?: boolean | undefined;
  /** The server will never take it, so the only bytes are here. Missing means no. */
  isRejected?: boolean | undefined;
  /** Why the server will never take it. Missing in records of earlier builds. */
  rejection?: Rejection | undefined;
  /** Changes that the server has not confirmed. The other fields have the new values. Missing means none. */
  pendingChanges?: readonly PendingChange[] | undefined;
  updatedAtMs: number;
}

/** The former name of `pendingChanges`, in builds before the first release. */
const formerName = 'untold';

/** A take as this or an earlier build stored it. */
export type TakeOfAnyBuild = Omit<TakeRecord, 'pendingChanges'> & {
  pendingChanges?: readonly (PendingChange | string)[] | undefined;
  [formerName]?: readonly string[];
};

const isOfThisBuild = (stored: TakeOfAnyBuild): stored is TakeRecord =>
  !(formerName in stored) && (stored.pendingChanges ?? []).every((change) => typeof change !== 'string');

/** Converts a stored take to the current format, including the changes that an earlier build had not sent. */
export function currentRecord(stored: TakeOfAnyBuild): TakeRecord {
  if (isOfThisBuild(stored)) return withKnownLength(stored);
  const { [formerName]: former = [], pendingChanges = [], ...take } = stored;
  return withKnownLength({ ...take, pendingChanges: currentChanges([...former, ...pendingChanges]) });
}

/**
 * Earlier builds stored the length 0 for takes that they could not measure. A take that is being recorded has bytes
 * before its record says so.
 */
function withKnownLength(stored: TakeRecord): TakeRecord {
  const isUnmeasured =
    stored.durationMs === 0 &&
    (stored.state === 'recording' || knownLengthMs(stored.durationMs, stored.sizeBytes) === null);
  return isUnmeasured ? { ...stored, durationMs: null } : stored;
}

/** Whether the take has changes that the server does not have. */
export const hasPendingChanges = ({ pendingChanges }: Pick<TakeRecord, 'pendingChanges'>): boolean =>
  (pendingChanges?.length ?? 0) > 0;
