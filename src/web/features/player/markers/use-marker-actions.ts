import { useLingui } from '@lingui/react/macro';
import type { Marker } from '#contract/markers-api.ts';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { useAttempt } from '#web/api/queries/use-attempt.ts';
import { newId } from '#device/new-id.ts';
import { userScope } from '#web/api/user-scope.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { showFailure, showToast } from '#web/ui/overlays/toast.tsx';
import { formatTimecode } from '#web/ui/text/format-timecode.ts';
import type {
  MarkerFields,
  PlayableActions,
  PlayableMarker,
} from '#web/features/player/playable-recording.ts';
import { withMarker, withoutMarker } from './marker-order.ts';
import { inTimeOrder } from '#web/features/player/time-order.ts';

type MarkerActions = Required<Pick<PlayableActions, 'addMarker' | 'changeMarker' | 'removeMarker'>>;

/** A name for a marker without one needs no way back. */
const isNaming = ({ label }: PlayableMarker, fields: MarkerFields): boolean =>
  label === '' && Object.keys(fields).join() === 'label';

/** Markers that the server has not confirmed yet: a change of one of them is sent afterwards. */
const creating = new Map<string, Promise<unknown>>();
userScope.onSessionEnd(() => creating.clear());

/** Adds, changes and removes markers on the server: shown at once, taken back when the server refuses. */
export function useMarkerActions(recordingId: string): MarkerActions {
  const { t } = useLingui();
  const attempt = useAttempt(showFailure);
  const key = recordingKeys.markers(recordingId);

  const apply = (change: (markers: readonly Marker[]) => Marker[], send: () => Promise<unknown>) =>
    attempt({
      show: (client) => client.setQueryData<Marker[]>(key, (markers = []) => change(markers)),
      act: send,
      shown: key,
      refreshed: [key],
    });

  const create = (marker: PlayableMarker) => {
    const full: Marker = {
      ...marker,
      recordingId,
      colour: marker.colour ?? 'blue',
      createdAt: new Date().toISOString(),
    };
    const { id, atMs, label, colour } = full;
    const body = { id, atMs, label, colour };
    const created = apply(
      (markers) => withMarker(markers, full),
      () => call('createMarker', { params: { recordingId }, body }),
    );
    creating.set(id, created);
    return created.finally(() => creating.delete(id));
  };

  const removeMarker = async (marker: PlayableMarker) => {
    const params = { recordingId, markerId: marker.id };
    const isGone = await apply(
      (markers) => withoutMarker(markers, marker.id),
      () => call('removeMarker', { params }),
    );
    if (!isGone) return;
    const time = isoLeftToRight(formatTimecode(marker.atMs));
    // A removed id is not given out again: what comes back is a new marker with the same words.
    const putBack = () => void create({ ...marker, id: newId() });
    showToast({
      message: () => t`Marker at ${time} deleted`,
      action: { label: () => t`Undo`, onAction: putBack },
    });
  };

  const change = (markerId: string, fields: MarkerFields) =>
    apply(
      (markers) =>
        inTimeOrder(
          markers.map((known) => (known.id === markerId ? { ...known, ...fields } : known)),
          ({ atMs }) => atMs,
        ),
      async () => {
        await creating.get(markerId);
        return call('changeMarker', { params: { recordingId, markerId }, body: fields });
      },
    );

  const changeMarker = async (marker: PlayableMarker, fields: MarkerFields) => {
    if (!(await change(marker.id, fields)) || isNaming(marker, fields)) return;
    const { label, atMs, colour = 'blue' } = marker;
    showToast({
      message: () => t`Marker changed`,
      action: { label: () => t`Undo`, onAction: () => void change(marker.id, { label, atMs, colour }) },
    });
  };

  return {
    addMarker: (atMs) => {
      const id = newId();
      void create({ id, atMs, label: '' });
      return id;
    },
    changeMarker: (marker, fields) => void changeMarker(marker, fields),
    removeMarker: (marker) => void removeMarker(marker),
  };
}
