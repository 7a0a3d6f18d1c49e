import type { PlayableRecording } from '#web/features/player/playable-recording.ts';

/** The recording to download, and whether the server has it. */
export interface DownloadProps {
  recording: PlayableRecording;
  isOnServer: boolean;
}
