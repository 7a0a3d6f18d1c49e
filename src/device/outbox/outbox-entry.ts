import type { Marker } from '#contract/markers-api.ts';
import type { UnsavedNote } from '#device/sync/send-note.ts';
import { newId } from '#device/new-id.ts';

/** The text of a note that the server does not have, and its place in the recording. */
export interface NoteDraft extends UnsavedNote {
  recordingId: string;
  noteId: string;
  fromMs: number;
  toMs: number | null;
  /** Whether a take on this device had the text, which is stored without its user's session. Missing means no. */
  isOfTake?: boolean;
}

/** The payloads of changes that are sent later, by kind. */
export interface OutboxPayloads {
  /** Target: the recording that was starred, or whose star was removed. */
  favourite: { isFavourite: boolean };
  /** Target: the recording that was created by a cancelled import. */
  import: { wanted: 'trash' | 'restore' | 'purge' };
  /** Target: the marker. One entry has all pending changes of the marker; for a new marker it has every field. */
  marker: {
    recordingId: string;
    isNew: boolean;
    isRemoved: boolean;
    fields: Partial<Pick<Marker, 'atMs' | 'label' | 'colour'>>;
  };
  /**
   * Target: the draft. Every page has its own, so that two pages that edit one note never overwrite each other's
   * text.
   */
  note: NoteDraft;
  /** Target: the recording that was played. */
  position: { positionMs: number; heardAtMs: number; playerId: string };
}

export interface EntryOf<Kind extends keyof OutboxPayloads> {
  /** Changes with every write, so that a sent entry is removed only if it has not been written again. */
  id: string;
  /** The user whose session may send it. */
  userId: string;
  kind: Kind;
  target: string;
  payload: OutboxPayloads[Kind];
  createdAtMs: number;
}

/** A change that the server does not have yet. There is at most one per user, kind and target. */
export type OutboxEntry = { [Kind in keyof OutboxPayloads]: EntryOf<Kind> }[keyof OutboxPayloads];

type NewEntry<Kind extends keyof OutboxPayloads> = Omit<
  EntryOf<Kind>,
  'id' | 'createdAtMs' | 'kind' | 'payload'
> & {
  kind: Kind;
  payload: OutboxPayloads[Kind];
};

export const newEntry = <Kind extends keyof OutboxPayloads>(entry: NewEntry<Kind>): EntryOf<Kind> => ({
  ...entry,
  id: newId(),
  createdAtMs: Date.now(),
});
