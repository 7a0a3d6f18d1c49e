import { useLocation } from 'wouter';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { ApiError } from '#web/api/api-error.ts';
import { session } from '#web/api/session.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useMarkerActions } from '#web/features/player/markers/use-marker-actions.ts';
import { useLocalMarkerActions } from '#web/features/player/markers/use-local-marker-actions.ts';
import { useRecording } from '#web/features/player/data/use-recording.ts';
import { NoRecording, RecordingInTrash } from '#web/features/player/screen/player-states.tsx';
import { localMarkers } from '#web/features/recorder/recovery/local-markers.ts';
import {
  useDeviceTakes,
  useDeviceTakesLoaded,
  useTrashedDeviceTakes,
} from '#web/recordings/state/use-device-takes.ts';
import { useReachableSession } from '#web/app/use-reachable-session.ts';
import { paths } from '#web/app/paths.ts';
import { FullPlayer } from './full-player.tsx';
import { localTakeActions, localTakeFiles } from './local-take-actions.ts';

export { prefetchRecording } from '#web/features/player/data/use-server-recording.ts';

/** The recording may be on the server, which cannot be checked now. */
const unreachable = {
  status: 'unreachable',
  error: new ApiError({ code: 'offline', status: 0, problem: null }),
  retry: () => {
    session.refresh().catch(() => undefined);
  },
} as const;

/**
 * The player for the server's recording, else for the take on this device, so that no recording needs an account
 * or a network.
 */
export function PlayerPage({ recordingId }: { recordingId: string }) {
  const { status, isCutOff } = useReachableSession();
  const [, navigate] = useLocation();
  const [takes, trashed] = [useDeviceTakes(), useTrashedDeviceTakes()];
  const take = [...takes, ...trashed].find(({ id }) => id === recordingId) ?? null;
  const found = useRecording(recordingId, {
    session: status,
    take,
    hasLoadedTakes: useDeviceTakesLoaded(),
    files: localTakeFiles,
  });
  const actions = useRecordingActions(localTakeActions);
  const markers = useMarkerActions(recordingId);
  const markersHere = useLocalMarkerActions(recordingId, localMarkers);
  if (found.status !== 'found')
    return (
      <NoRecording
        recordingId={recordingId}
        found={found.status === 'missing' && isCutOff ? unreachable : found}
        onSignIn={() => requestSignIn()}
      />
    );

  const { recording, isOnServer, isTrashed } = found;
  const editable = {
    rename: (title: string) => actions.rename(recording, title),
    moveToTrash: () => {
      actions.moveToTrash(recording);
      navigate(paths.library);
    },
    ...(isOnServer
      ? { ...markers, changeTime: (time: RecordedTime) => actions.changeTime(recording, time) }
      : take?.state === 'stopped'
        ? markersHere
        : {}),
  };
  return (
    <>
      {isTrashed && <RecordingInTrash onRestore={() => actions.restore(recording)} />}
      <FullPlayer
        key={recordingId}
        recording={recording}
        actions={isTrashed ? {} : editable}
        isOnServer={isOnServer}
        isTrashed={isTrashed}
      />
    </>
  );
}
