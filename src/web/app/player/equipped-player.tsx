import { RecordingNotes } from '#web/features/playback/notes/recording-notes.tsx';
import { RecordingPlayer, type RecordingPlayerProps } from '#web/features/playback/recording-player.tsx';
import { useKeepRecording } from './use-keep-recording.ts';

export interface EquippedPlayerProps extends Pick<RecordingPlayerProps, 'recording' | 'actions'> {
  isOnServer: boolean;
  isTrashed: boolean;
}

/** The player with what belongs beside it. */
export function EquippedPlayer({ recording, actions, isOnServer, isTrashed }: EquippedPlayerProps) {
  const keepRecording = useKeepRecording(recording);
  const notes = isOnServer && <RecordingNotes recordingId={recording.id} durationMs={recording.durationMs} isEditable={!isTrashed} />;
  return <RecordingPlayer recording={recording} actions={isTrashed || !keepRecording ? actions : { ...actions, keepRecording }} notes={notes} isOnServer={isOnServer} />;
}
