import { createStore, type Store } from '#base/store.ts';
import { type EntryOf, newEntry, type OutboxEntry } from '#device/outbox/outbox-entry.ts';
import { userScope } from '#web/api/user-scope.ts';
import { viewerId } from '#web/api/viewer.ts';
import { outbox, pendingEntries } from '#web/outbox/page-outbox.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';
import { withMarker, withoutMarker } from './marker-order.ts';

type MarkerEntry = EntryOf<'marker'>;
type Change = Partial<MarkerEntry['payload']>;

const isMarker = (entry: OutboxEntry): entry is MarkerEntry => entry.kind === 'marker';
const markersNow = (): MarkerEntry[] => pendingEntries.getSnapshot().filter(isMarker);

const store = createStore<readonly MarkerEntry[]>(markersNow());
const refresh = (): void => {
  const [before, now] = [store.getSnapshot(), markersNow()];
  if (now.length !== before.length || now.some(({ id }, index) => id !== before[index]?.id)) store.set(now);
};
pendingEntries.subscribe(refresh);
userScope.onSessionEnd(refresh);

/** Marker changes that the server does not have yet. */
export const pendingMarkers: Store<readonly MarkerEntry[]> = store;

/** Merges a change into the marker's pending change and queues it in the outbox. */
export function changePending(recordingId: string, markerId: string, change: Change): void {
  const userId = viewerId();
  if (userId === null) return;
  const before = markersNow().find(({ target }) => target === markerId)?.payload;
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
