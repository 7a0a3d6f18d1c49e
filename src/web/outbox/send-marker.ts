import { i18n } from '@lingui/core';
import type { Marker } from '#contract/markers-api.ts';
import type { EntryOf } from '#device/outbox/outbox-entry.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { call } from '#web/api/call.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { resultOrRejection } from './send-result.ts';

type MarkerEntry = EntryOf<'marker'>;

/** Updates the screen to the server's state until the markers are loaded again. */
function showSaved({ target, payload }: MarkerEntry, saved: Marker | null): void {
  const queryKey = recordingKeys.markers(payload.recordingId);
  queryClient.setQueryData<readonly Marker[]>(queryKey, (markers) => {
    const others = markers?.filter(({ id }) => id !== target);
    return saved ? others && [...others, saved].toSorted((a, b) => a.atMs - b.atMs) : others;
  });
  void queryClient.invalidateQueries({ queryKey });
}

/** Returns null if the marker was removed. */
async function saveMarker({ target, userId, payload }: MarkerEntry): Promise<Marker | null> {
  const { recordingId, isNew, isRemoved, fields } = payload;
  const hold = { owner: userId };
  const params = { recordingId, markerId: target };
  if (isRemoved) {
    await call('removeMarker', { params, hold });
    return null;
  }
  if (!isNew) return call('changeMarker', { params, hold, body: fields });
  const { atMs = 0, label = '', colour = 'blue' } = fields;
  const body = { id: target, atMs, label, colour };
  const made = await call('createMarker', { params: { recordingId }, hold, body });
  // Creating a marker that exists, because an earlier response was lost, returns it unchanged.
  const isSame = made.atMs === atMs && made.label === label && made.colour === colour;
  return isSame ? made : call('changeMarker', { params, hold, body: { atMs, label, colour } });
}

/**
 * Sends a marker. If the server rejects the change, the entry is removed, so that the screen shows the server's
 * state, and a message says why.
 */
export async function sendMarkerEntry(entry: MarkerEntry): Promise<SendResult> {
  try {
    showSaved(entry, await saveMarker(entry));
    return 'settled';
  } catch (error) {
    return resultOrRejection(error, () => showFailure(() => i18n._(messageOf(error))));
  }
}
