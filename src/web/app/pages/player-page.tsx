import { useLocation } from 'wouter';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { useSession } from '#web/api/session.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useMarkerActions } from '#web/features/playback/data/use-marker-actions.ts';
import { useRecording } from '#web/features/playback/data/use-recording.ts';
import { NoRecording, RecordingInTrash } from '#web/features/playback/player-states.tsx';
import { RecordingPlayer } from '#web/features/playback/recording-player.tsx';
import { localTakeAudioUrl, localTakePeaks, useLocalTakes, useLocalTakesLoaded } from '#web/features/recording/local-takes.ts';
import { paths } from '../paths.ts';
import { localTakeActions } from './local-take-actions.ts';

const files = { audioUrl: localTakeAudioUrl, peaks: localTakePeaks };

/** The player: what the server has, else the take on this device, so that nothing recorded ever waits for an account or a network. */
export function PlayerPage({ recordingId }: { recordingId: string }) {
  const { status } = useSession();
  const [, navigate] = useLocation();
  const take = useLocalTakes().find(({ id }) => id === recordingId) ?? null;
  const found = useRecording(recordingId, { session: status, take, hasLookedHere: useLocalTakesLoaded(), files });
  const actions = useRecordingActions(localTakeActions);
  const markers = useMarkerActions(recordingId);
  if (found.status !== 'found') return <NoRecording found={found} onSignIn={() => requestSignIn()} />;

  const { recording, isOnServer, isTrashed } = found;
  const editable = {
    rename: (title: string) => actions.rename(recording, title),
    moveToTrash: () => {
      actions.moveToTrash(recording);
      navigate(paths.library);
    },
    ...(isOnServer ? markers : {}),
  };
  return (
    <>
      {isTrashed && <RecordingInTrash onRestore={() => actions.restore(recording)} />}
      <RecordingPlayer key={recordingId} recording={recording} actions={isTrashed ? {} : editable} />
    </>
  );
}
