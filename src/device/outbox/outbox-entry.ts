import { newId } from '#device/new-id.ts';

/** The changes that are sent to the server later, by kind. */
export interface OutboxPayloads {
  /** Target: the recording that was starred, or whose star was removed. */
  favourite: { isFavourite: boolean };
  /** Target: the recording that a cancelled import became. */
  import: { wanted: 'trash' | 'restore' | 'purge' };
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

type Draft<Entry> = Entry extends OutboxEntry ? Omit<Entry, 'id' | 'createdAtMs'> : never;

export const newEntry = (draft: Draft<OutboxEntry>): OutboxEntry => ({
  ...draft,
  id: newId(),
  createdAtMs: Date.now(),
});
