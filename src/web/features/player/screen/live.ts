import { second } from '#base/duration.ts';
import type { PlaybackSnapshot } from '#playback/playback-state.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

/** Audio newer than this counts as live: recording, upload and the next poll together take less. */
const liveWithinMs = 12 * second;
/**
 * Distance from the live edge at which playback starts, so that the next part has arrived and loaded when this one
 * ends.
 */
const leadMs = 6 * second;

/** Whether playback is at the live edge of a recording. */
export const isLive = ({ track, status, positionMs, durationMs }: PlaybackSnapshot): boolean =>
  track?.growing === true &&
  (status === 'playing' || status === 'waiting') &&
  durationMs - positionMs <= liveWithinMs;

/** Seeks to the live edge and plays. Does nothing if the recording is not live. */
export function jumpToLive(): void {
  if (player.getSnapshot().track?.growing !== true) return;
  player.seek(player.durationMs() - leadMs);
  player.play();
}
