import { useLingui } from '@lingui/react/macro';
import { newId } from '#device/new-id.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { formatTimecode } from '#base/format-timecode.ts';
import type { PlayableActions, PlayableMarker } from '#web/features/player/playable-recording.ts';

/** Changes the markers of takes on this device. Each call resolves to whether the change was possible. */
export interface LocalMarkers {
  add(takeId: string, marker: PlayableMarker): Promise<boolean>;
  rename(takeId: string, markerId: string, label: string): Promise<boolean>;
  remove(takeId: string, markerId: string): Promise<boolean>;
}

type MarkerActions = Required<Pick<PlayableActions, 'addMarker' | 'renameMarker' | 'removeMarker'>>;

/**
 * Adds, renames and deletes markers of a take on this device. A toast explains a change that is not possible yet.
 */
export function useLocalMarkerActions(takeId: string, markers: LocalMarkers): MarkerActions {
  const { t } = useLingui();
  const report = async (act: Promise<boolean>): Promise<boolean> => {
    const isDone = await act.catch(() => false);
    if (!isDone) showToast({ message: () => t`You can edit markers once this recording is on the server.` });
    return isDone;
  };
  const removeMarker = async (marker: PlayableMarker) => {
    if (!(await report(markers.remove(takeId, marker.id)))) return;
    const time = isoLeftToRight(formatTimecode(marker.atMs));
    // The old id may already be recorded as deleted, so undo adds a new marker with the same text.
    const undo = () => void report(markers.add(takeId, { ...marker, id: newId() }));
    showToast({
      message: () => t`Marker at ${time} deleted`,
      action: { label: () => t`Undo`, onAction: undo },
    });
  };
  return {
    addMarker: (atMs) => {
      const id = newId();
      void report(markers.add(takeId, { id, atMs, label: '' }));
      return id;
    },
    renameMarker: (marker, label) => void report(markers.rename(takeId, marker.id, label)),
    removeMarker: (marker) => void removeMarker(marker),
  };
}
