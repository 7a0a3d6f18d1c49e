import { LocalNotes } from '#web/features/player/notes/local-notes.tsx';
import { RecordingNotes } from '#web/features/player/notes/recording-notes.tsx';
import { RecordingPlayer, type RecordingPlayerProps } from '#web/features/player/screen/recording-player.tsx';
import { useStar } from '#web/recordings/favourites/use-star.ts';
import { useContinueRecording } from './use-continue-recording.ts';

export interface FullPlayerProps extends Pick<RecordingPlayerProps, 'recording' | 'actions'> {
  isOnServer: boolean;
  isTrashed: boolean;
}

/** The player, with notes and actions of its recording. */
export function FullPlayer({ recording, actions, isOnServer, isTrashed }: FullPlayerProps) {
  const continueRecording = useContinueRecording(recording);
  const star = useStar(recording);
  const notes = isOnServer ? (
    <RecordingNotes recordingId={recording.id} durationMs={recording.durationMs} isEditable={!isTrashed} />
  ) : (
    <LocalNotes notesHere={recording.notesHere} />
  );
  const offered = isTrashed
    ? actions
    : {
        ...actions,
        ...(continueRecording ? { continueRecording } : {}),
        ...(isOnServer ? { toggleFavourite: star.toggle } : {}),
      };
  return <RecordingPlayer recording={recording} actions={offered} notes={notes} isOnServer={isOnServer} />;
}
