import { createStore, type Store } from '#base/store.ts';
import { newEntry, type EntryOf, type OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { viewerId } from '#web/api/viewer.ts';
import { outbox, pendingEntries } from '#web/outbox/page-outbox.ts';

/** The stars that the viewer has set or removed and the server has not confirmed, by recording. */
export type Stars = ReadonlyMap<string, boolean>;

const isStar = (entry: OutboxEntry): entry is EntryOf<'favourite'> => entry.kind === 'favourite';
const starsNow = (): EntryOf<'favourite'>[] => pendingEntries.getSnapshot().filter(isStar);
const starsOf = (): Stars => new Map(starsNow().map(({ target, payload }) => [target, payload.isFavourite]));

const store = createStore<Stars>(starsOf());
pendingEntries.subscribe(() => {
  const [before, now] = [store.getSnapshot(), starsOf()];
  if (now.size !== before.size || [...now].some(([id, isOn]) => before.get(id) !== isOn)) store.set(now);
});

/** The stars that are shown before the server has them. */
export const pendingStars: Store<Stars> = store;

/** Stars a recording, or removes the star: at once on this device, on the server as soon as it can be reached. */
export function setStar(recordingId: string, isFavourite: boolean): void {
  const userId = viewerId();
  if (userId === null) return;
  const entry = newEntry({ userId, kind: 'favourite', target: recordingId, payload: { isFavourite } });
  // If it cannot be stored, it lives as long as the page.
  outbox.enqueue(entry).catch(() => undefined);
}

/** Drops the pending stars of these recordings, which were all starred at once. */
export function dropPendingStars(recordingIds: readonly string[]): void {
  for (const star of starsNow().filter(({ target }) => recordingIds.includes(target))) void outbox.drop(star);
}
