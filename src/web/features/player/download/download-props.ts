import type { PlayableRecording } from '#web/features/player/playable-recording.ts';

/** What is taken away, and whether the server has it. */
export interface DownloadProps {
  recording: PlayableRecording;
  isOnServer: boolean;
}
