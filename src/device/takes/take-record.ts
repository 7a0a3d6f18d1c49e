import type { Quality } from '#contract/limits.ts';
import type { SegmentPlaces } from '#device/streams/stream-places.ts';
import type { Gap, UploadCapability } from '#contract/recordings.ts';

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

/** The notes of a stored take, without what the device knows of their sending. */
export const notesOf = ({ notes = [] }: { notes?: readonly TakeNote[] | undefined }): TakeNote[] =>
  notes.map(({ id, atMs, text }) => ({ id, atMs, text }));

/** A segment of a take: two append-only streams, each with an upload of its own. */
export interface TakeSegment extends SegmentPlaces {
  index: number;
  startMs: number;
  container: 'ogg' | 'webm' | 'mp4';
  /** Writer epoch; one more at every recovery. */
  epoch: number;
}

/** A note as the device stores it. `sentText`: what the server has of it; null where it has none. */
export type StoredNote = TakeNote & { sentText: string | null };

/**
 * What the device knows of a take: the value of the IndexedDB store `takes` (database `earshot`), keyed by
 * id.
 */
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
   * `recording` until its journal was closed in order; a take found so without its lock held has lost its
   * tab.
   */
  state: 'recording' | 'stopped';
  segments: TakeSegment[];
  markers: (TakeMarker & { sent: boolean })[];
  /** Missing in records of older programs. */
  notes?: readonly StoredNote[] | undefined;
  gaps: Gap[];
  pauses: { atMs: number; durationMs: number }[];
  durationMs: number;
  sizeBytes: number;
  upload: UploadCapability | null;
  /** When the server confirmed that it holds everything. */
  receiptAtMs: number | null;
  deletedAtMs: number | null;
  /**
   * It goes on after it was stopped, and the server, which may have finished it, has not been told. Missing
   * is no.
   */
  goesOn?: boolean | undefined;
  /**
   * What was done to it here and the server has not confirmed; how it stands is in the other fields. Missing
   * is nothing.
   */
  pendingChanges?: readonly PendingChange[] | undefined;
  updatedAtMs: number;
}

/**
 * What the server hears of by a call of its own: the title, whether the take lies in the trash, or a marker
 * or note that it had already.
 */
export type PendingChange = 'title' | 'place' | `marker ${string}` | `note ${string}`;

/** What builds before the first release called the pending changes of a stored take. */
const formerName = 'untold';

/** A stored take as this build reads it: nothing that an earlier build had not sent is forgotten. */
export function currentRecord(stored: TakeRecord): TakeRecord {
  if (!(formerName in stored)) return stored;
  const { [formerName]: former, ...take } = stored as TakeRecord &
    Record<typeof formerName, TakeRecord['pendingChanges']>;
  return { ...take, pendingChanges: [...new Set([...(former ?? []), ...(take.pendingChanges ?? [])])] };
}

/** Whether this device alone knows of something that was done to it. */
export const hasPendingChanges = ({ pendingChanges }: Pick<TakeRecord, 'pendingChanges'>): boolean =>
  (pendingChanges?.length ?? 0) > 0;

/** Adds to what the server has to hear of. */
export const withPendingChange = (
  pendingChanges: TakeRecord['pendingChanges'],
  what: PendingChange,
): readonly PendingChange[] => [...new Set([...(pendingChanges ?? []), what])];
