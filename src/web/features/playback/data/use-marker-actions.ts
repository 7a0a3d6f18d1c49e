import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { uuidV7 } from '#base/uuid-v7.ts';
import type { Marker } from '#contract/markers-api.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { recordingKeys } from '#web/api/query-client.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { formatTimecode } from '#web/ui/text/format-timecode.ts';
import type { PlayableActions, PlayableMarker } from '../playable-recording.ts';
import { withMarker, withoutMarker } from './marker-order.ts';

type MarkerActions = Required<Pick<PlayableActions, 'addMarker' | 'renameMarker' | 'removeMarker'>>;

/** Adds, renames and removes markers on the server: shown at once, taken back when the server refuses. */
export function useMarkerActions(recordingId: string): MarkerActions {
  const { t } = useLingui();
  const client = useQueryClient();
  const messageOf = useErrorMessage();
  const key = recordingKeys.markers(recordingId);

  const apply = async (change: (markers: readonly Marker[]) => Marker[], send: () => Promise<unknown>): Promise<boolean> => {
    await client.cancelQueries({ queryKey: key });
    client.setQueryData<Marker[]>(key, (markers = []) => change(markers));
    try {
      await send();
      return true;
    } catch (error) {
      showToast({ message: messageOf(error), tone: 'danger' });
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: key });
    }
  };

  const create = (marker: PlayableMarker) => {
    const full: Marker = { ...marker, recordingId, colour: 'blue', createdAt: new Date().toISOString() };
    const body = { id: marker.id, atMs: marker.atMs, label: marker.label };
    return apply((markers) => withMarker(markers, full), () => call('createMarker', { params: { recordingId }, body }));
  };

  const removeMarker = async (marker: PlayableMarker) => {
    const params = { recordingId, markerId: marker.id };
    const isGone = await apply((markers) => withoutMarker(markers, marker.id), () => call('removeMarker', { params }));
    if (!isGone) return;
    const time = isoLeftToRight(formatTimecode(marker.atMs));
    // A removed id is not given out again: what comes back is a new marker with the same words.
    const putBack = () => void create({ ...marker, id: newId() });
    showToast({ message: t`Marker at ${time} deleted`, action: { label: t`Undo`, onAction: putBack } });
  };

  const renameMarker = (marker: PlayableMarker, label: string) => {
    const params = { recordingId, markerId: marker.id };
    return apply(
      (markers) => markers.map((known) => (known.id === marker.id ? { ...known, label } : known)),
      () => call('changeMarker', { params, body: { label } }),
    );
  };

  return {
    addMarker: (atMs) => void create({ id: newId(), atMs, label: '' }),
    renameMarker: (marker, label) => void renameMarker(marker, label),
    removeMarker: (marker) => void removeMarker(marker),
  };
}

const newId = (): string => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
