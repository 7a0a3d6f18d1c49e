import { second } from '#base/duration.ts';
import type { PlaybackSnapshot } from './playback-state.ts';
import type { Player } from './player.ts';

const skipMs = 10 * second;

/** Connects headset buttons, lock screens and media keys to the player (W3C Media Session). */
export function connectMediaSession(player: Player): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => player.play()],
    ['pause', () => player.pause()],
    ['stop', () => player.close()],
    [
      'seekbackward',
      ({ seekOffset }) => player.skip(-(seekOffset === undefined ? skipMs : seekOffset * second)),
    ],
    ['seekforward', ({ seekOffset }) => player.skip(seekOffset === undefined ? skipMs : seekOffset * second)],
    [
      'seekto',
      ({ seekTime }) => {
        if (seekTime !== undefined) player.seek(seekTime * second);
      },
    ],
  ];
  for (const [action, handler] of handlers) setMediaAction(action, handler);
  let shown: PlaybackSnapshot | null = null;
  let isWaiting = false;
  const show = () => {
    isWaiting = false;
    const now = player.getSnapshot();
    if (now.track?.title !== shown?.track?.title)
      mediaSession.metadata = now.track && new MediaMetadata({ title: now.track.title, artist: 'Earshot' });
    mediaSession.playbackState = stateOf(now);
    if (needsPositionUpdate(shown, now)) updatePosition(now);
    shown = now;
  };
  // Each call crosses to another process. Batch several changes into one call, in a task after rendering.
  player.subscribe(() => {
    if (!isWaiting) setTimeout(show);
    isWaiting = true;
  });
}

/** Sets or removes the handler of a system media button. Browsers throw for actions that they do not support. */
export function setMediaAction(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  if (!('mediaSession' in navigator)) return;
  try {
    navigator.mediaSession.setActionHandler(action, handler);
  } catch {
    // This browser has no button for the action.
  }
}

function stateOf({ status }: PlaybackSnapshot): MediaSessionPlaybackState {
  if (status === 'playing' || status === 'waiting') return 'playing';
  return status === 'empty' ? 'none' : 'paused';
}

/** The system extrapolates the position, so it needs an update only when the position is not predictable. */
function needsPositionUpdate(before: PlaybackSnapshot | null, now: PlaybackSnapshot): boolean {
  return (
    !before ||
    before.status !== now.status ||
    before.rate !== now.rate ||
    before.durationMs !== now.durationMs ||
    Math.abs(now.positionMs - before.positionMs) > second
  );
}

function updatePosition({ positionMs, durationMs, rate, track }: PlaybackSnapshot): void {
  // A call without arguments clears the position that the system shows.
  if (durationMs <= 0 || !track) {
    navigator.mediaSession.setPositionState();
    return;
  }
  navigator.mediaSession.setPositionState({
    duration: durationMs / second,
    position: Math.min(positionMs, durationMs) / second,
    playbackRate: rate,
  });
}
