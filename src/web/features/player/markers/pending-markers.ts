import { type EntryOf, newEntry } from '#device/outbox/outbox-entry.ts';
import { viewerId } from '#web/api/viewer.ts';
import { outbox, pendingOf } from '#web/outbox/page-outbox.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';
import { withMarker, withoutMarker } from './marker-order.ts';

type MarkerEntry = EntryOf<'marker'>;
type Change = Partial<MarkerEntry['payload']>;

/** Marker changes that the server does not have yet. */
export const pendingMarkers = pendingOf('marker');

/** Merges a change into the marker's pending change and queues it in the outbox. */
export function changePending(recordingId: string, markerId: string, change: Change): void {
  const userId = viewerId();
  if (userId === null) return;
  const before = pendingMarkers.getSnapshot().find(({ target }) => target === markerId)?.payload;
  const payload = {
    recordingId,
    isNew: false,
    isRemoved: false,
    ...before,
    ...change,
    fields: { ...before?.fields, ...change.fields },
  };
  // If the write to disk fails, the entry lasts until the page closes.
  outbox.enqueue(newEntry({ userId, kind: 'marker', target: markerId, payload })).catch(() => undefined);
}

/** Applies the pending changes to the markers of a recording, in time order. */
export function withPending(
  markers: readonly PlayableMarker[],
  entries: readonly MarkerEntry[],
  recordingId: string,
): readonly PlayableMarker[] {
  let shown = markers;
  for (const { target, payload } of entries) {
    if (payload.recordingId !== recordingId) continue;
    const known = markers.find(({ id }) => id === target);
    const isShown = known !== undefined || payload.isNew;
    // A marker that is neither new nor known was deleted elsewhere, or the markers have not loaded yet.
    if (payload.isRemoved) shown = withoutMarker(shown, target);
    else if (isShown)
      shown = withMarker(shown, { id: target, atMs: 0, label: '', ...known, ...payload.fields });
  }
  return shown;
}
