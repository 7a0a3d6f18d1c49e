import { useLingui } from '@lingui/react/macro';
import { newId } from '#device/new-id.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { formatTimecode } from '#web/ui/text/format-timecode.ts';
import type {
  MarkerFields,
  PlayableActions,
  PlayableMarker,
} from '#web/features/player/playable-recording.ts';
import { changePending } from './pending-markers.ts';

type MarkerActions = Required<Pick<PlayableActions, 'addMarker' | 'changeMarker' | 'removeMarker'>>;

/** A name for a marker without one needs no way back. */
const isNaming = ({ label }: PlayableMarker, fields: MarkerFields): boolean =>
  label === '' && Object.keys(fields).join() === 'label';

/** Adds, changes and removes markers: at once on this device, on the server as soon as it can be reached. */
export function useMarkerActions(recordingId: string): MarkerActions {
  const { t } = useLingui();
  const create = ({ id, atMs, label, colour = 'blue' }: PlayableMarker): void =>
    changePending(recordingId, id, { isNew: true, fields: { atMs, label, colour } });
  const change = (markerId: string, fields: MarkerFields): void =>
    changePending(recordingId, markerId, { fields });

  const removeMarker = (marker: PlayableMarker) => {
    changePending(recordingId, marker.id, { isRemoved: true });
    const time = isoLeftToRight(formatTimecode(marker.atMs));
    // A removed id is not given out again: what comes back is a new marker with the same words.
    const putBack = () => create({ ...marker, id: newId() });
    showToast({
      message: () => t`Marker at ${time} deleted`,
      action: { label: () => t`Undo`, onAction: putBack },
    });
  };

  const changeMarker = (marker: PlayableMarker, fields: MarkerFields) => {
    change(marker.id, fields);
    if (isNaming(marker, fields)) return;
    const { label, atMs, colour = 'blue' } = marker;
    showToast({
      message: () => t`Marker changed`,
      action: { label: () => t`Undo`, onAction: () => change(marker.id, { label, atMs, colour }) },
    });
  };

  return {
    addMarker: (atMs) => {
      const id = newId();
      create({ id, atMs, label: '' });
      return id;
    },
    changeMarker,
    removeMarker,
  };
}
