import { i18n } from '@lingui/core';
import type { Marker } from '#contract/markers-api.ts';
import type { EntryOf } from '#device/outbox/outbox-entry.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { type MarkerCalls, type MarkerChange, sendMarker } from '#device/sync/send-marker.ts';
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

/** The requests for a marker. Each names its user, because another one may have signed in. */
export function markerCallsOf(owner: string, recordingId: string, markerId: string): MarkerCalls {
  const hold = { owner };
  const params = { recordingId, markerId };
  return {
    create: (body) => call('createMarker', { params: { recordingId }, hold, body }),
    change: (body) => call('changeMarker', { params, hold, body }),
    remove: () => call('removeMarker', { params, hold }),
  };
}

function changeOf({ target: id, payload }: MarkerEntry): MarkerChange {
  const { isNew, isRemoved, fields } = payload;
  if (isRemoved) return { type: 'removed' };
  if (!isNew) return { type: 'changed', fields };
  const { atMs = 0, label = '', colour = 'blue' } = fields;
  return { type: 'added', marker: { id, atMs, label, colour }, fields: { atMs, label, colour } };
}

/**
 * Sends a marker. If the server rejects the change, the entry is removed, so that the screen shows the server's
 * state, and a message says why.
 */
export async function sendMarkerEntry(entry: MarkerEntry): Promise<SendResult> {
  try {
    const { userId, target, payload } = entry;
    const calls = markerCallsOf(userId, payload.recordingId, target);
    showSaved(entry, await sendMarker(changeOf(entry), calls));
    return 'settled';
  } catch (error) {
    return resultOrRejection(error, () => showFailure(() => i18n._(messageOf(error))));
  }
}
