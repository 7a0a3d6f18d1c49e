import type { PlayableRecording } from '#web/features/player/playable-recording.ts';

/** The recording to download. */
export interface DownloadProps {
  recording: PlayableRecording;
}
