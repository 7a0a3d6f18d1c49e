import type { Marker } from '#contract/markers-api.ts';
import { newId } from '#device/new-id.ts';

/** The changes that are sent to the server later, by kind. */
export interface OutboxPayloads {
  /** Target: the recording that was starred, or whose star was removed. */
  favourite: { isFavourite: boolean };
  /** Target: the recording that a cancelled import became. */
  import: { wanted: 'trash' | 'restore' | 'purge' };
  /** Target: the marker. All that is pending of it in one: a new one has all its fields. */
  marker: {
    recordingId: string;
    isNew: boolean;
    isRemoved: boolean;
    fields: Partial<Pick<Marker, 'atMs' | 'label' | 'colour'>>;
  };
  /**
   * Target: the draft, one per page that writes, so that two pages that write one note never overwrite each other's
   * text. `revision`: the one that the text was written on; null for a new note. `sentText`: a text that was sent and
   * not answered.
   */
  note: {
    recordingId: string;
    noteId: string;
    fromMs: number;
    toMs: number | null;
    text: string;
    revision: number | null;
    sentText: string | null;
  };
  /** Target: the recording that was played. */
  position: { positionMs: number; heardAtMs: number; playerId: string };
}

export interface EntryOf<Kind extends keyof OutboxPayloads> {
  /** New with every write: a sent entry is removed unless it was written again meanwhile. */
  id: string;
  /** The user whose session may send it. */
  userId: string;
  kind: Kind;
  target: string;
  payload: OutboxPayloads[Kind];
  createdAtMs: number;
}

/** A change that the server does not have yet; one per user, kind and target. */
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
