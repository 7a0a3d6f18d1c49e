import { second } from '#base/duration.ts';
import type { PlaybackSnapshot } from '#web/features/player/engine/playback-state.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

/**
 * What was recorded so little ago counts as now: it is flushed, sent and asked for again within this time.
 */
const liveWithinMs = 12 * second;
/**
 * So far before the end of what has come it begins: the next part is there when this one ends, and takes a
 * moment to load.
 */
const leadMs = 6 * second;

/** Whether the sound runs at the end of a recording that still grows. */
export const isLive = ({ track, status, positionMs, durationMs }: PlaybackSnapshot): boolean =>
  track?.growing === true &&
  (status === 'playing' || status === 'waiting') &&
  durationMs - positionMs <= liveWithinMs;

/** Plays what has just been recorded; nothing happens where nothing is being recorded. */
export function jumpToLive(): void {
  if (player.getSnapshot().track?.growing !== true) return;
  player.seek(player.durationMs() - leadMs);
  player.play();
}
