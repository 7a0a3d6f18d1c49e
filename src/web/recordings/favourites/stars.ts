import { newEntry } from '#device/outbox/outbox-entry.ts';
import { viewerId } from '#web/api/viewer.ts';
import { outbox, pendingOf } from '#web/outbox/page-outbox.ts';

/** The stars that the viewer has set or removed and the server has not confirmed. */
export const pendingStars = pendingOf('favourite');

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
  const dropped = pendingStars.getSnapshot().filter(({ target }) => recordingIds.includes(target));
  for (const star of dropped) void outbox.drop(star);
}
