import { useMemo } from 'react';
import { momentOf } from '#base/recorded-time/recorded-time.ts';
import { useBulkActions } from '#web/features/library/actions/use-bulk-actions.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useTrashedDeviceTakes } from '#web/recordings/state/use-device-takes.ts';
import { stopPlaying } from '#web/features/player/playback/open-recording.ts';
import { TrashScreen } from '#web/features/trash/trash-screen.tsx';
import { useReachableSession } from '#web/app/use-reachable-session.ts';
import { localTakeActions } from './local-take-actions.ts';
import { rowPlayback } from './row-playback.ts';

export function TrashPage() {
  const { status, isCutOff } = useReachableSession();
  const actions = useRecordingActions(localTakeActions);
  const bulk = useBulkActions(localTakeActions);
  const takes = useTrashedDeviceTakes();
  const localTrash = useMemo(
    () =>
      takes.map((take) => ({
        id: take.id,
        title: take.title,
        recordedTime: momentOf(new Date(take.startedAtMs).toISOString(), take.timeZone),
        durationMs: take.durationMs,
        deletedAtMs: take.deletedAtMs ?? take.startedAtMs,
        isOnServer: false,
        hasNoSound: false,
        take,
      })),
    [takes],
  );
  return (
    <TrashScreen
      session={status}
      localTrash={localTrash}
      isCutOff={isCutOff}
      playback={rowPlayback}
      onRestore={actions.restore}
      onDeleteForGood={(item) => {
        stopPlaying(item.id);
        actions.deletePermanently(item);
      }}
      bulk={{
        restore: bulk.restore,
        deletePermanently: (ids) => {
          ids.forEach(stopPlaying);
          bulk.deletePermanently(ids);
        },
      }}
    />
  );
}
