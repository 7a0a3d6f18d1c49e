import { second } from '#base/duration.ts';
import type { Store } from '#base/store.ts';
import type { PlaybackSnapshot } from './playback-state.ts';

/** What a button of the system does. */
interface MediaControls {
  play(): void;
  pause(): void;
  seek(toMs: number): void;
  skip(byMs: number): void;
}

/**
 * Connects headset buttons, lock screens and media keys to a player (W3C Media Session).
 * @param options.skipMs how far a button skips if the system does not say
 * @param options.artist shown below the title
 */
export function connectMediaSession(
  player: Store<PlaybackSnapshot>,
  controls: MediaControls,
  { skipMs, artist = '' }: { skipMs: number; artist?: string },
): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => controls.play()],
    ['pause', () => controls.pause()],
    [
      'seekbackward',
      ({ seekOffset }) => controls.skip(-(seekOffset === undefined ? skipMs : seekOffset * second)),
    ],
    [
      'seekforward',
      ({ seekOffset }) => controls.skip(seekOffset === undefined ? skipMs : seekOffset * second),
    ],
    [
      'seekto',
      ({ seekTime }) => {
        if (seekTime !== undefined) controls.seek(seekTime * second);
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
      mediaSession.metadata = now.track && new MediaMetadata({ title: now.track.title, artist });
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
