import { useLingui } from '@lingui/react/macro';
import { newId } from '#device/new-id.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { formatTimecode } from '#base/format-timecode.ts';
import type {
  MarkerFields,
  PlayableActions,
  PlayableMarker,
} from '#web/features/player/playable-recording.ts';
import { changePending } from './pending-markers.ts';

type MarkerActions = Required<Pick<PlayableActions, 'addMarker' | 'changeMarker' | 'removeMarker'>>;

/** Whether the change only names an untitled marker, which needs no undo. */
const isNaming = ({ label }: PlayableMarker, fields: MarkerFields): boolean =>
  label === '' && Object.keys(fields).join() === 'label';

/**
 * Adds, changes and deletes markers: immediately on this device, and on the server as soon as it can be reached.
 */
export function useMarkerActions(recordingId: string): MarkerActions {
  const { t } = useLingui();
  const create = ({ id, atMs, label, colour = 'blue' }: PlayableMarker): void =>
    changePending(recordingId, id, { isNew: true, fields: { atMs, label, colour } });
  const change = (markerId: string, fields: MarkerFields): void =>
    changePending(recordingId, markerId, { fields });

  const removeMarker = (marker: PlayableMarker) => {
    changePending(recordingId, marker.id, { isRemoved: true });
    const time = isoLeftToRight(formatTimecode(marker.atMs));
    // A deleted id is never reused, so undo adds a new marker with the same text.
    const undo = () => create({ ...marker, id: newId() });
    showToast({
      message: () => t`Marker at ${time} deleted`,
      action: { label: () => t`Undo`, onAction: undo },
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
