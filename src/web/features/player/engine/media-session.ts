import { second } from '#base/duration.ts';
import type { PlaybackSnapshot } from './playback-state.ts';
import type { Player } from './player.ts';

const skipMs = 10 * second;

/** Lets headset buttons, lock screens and media keys see and steer the player (W3C Media Session). */
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
    if (jumped(shown, now)) updatePosition(now);
    shown = now;
  };
  // Each call crosses to another process: several changes at once are told once, and not while the page is
  // drawn for them.
  player.subscribe(() => {
    if (!isWaiting) setTimeout(show);
    isWaiting = true;
  });
}

/**
 * Gives a button of the system its meaning, or takes the button away; browsers throw for actions they do not
 * know.
 */
export function setMediaAction(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  if (!('mediaSession' in navigator)) return;
  try {
    navigator.mediaSession.setActionHandler(action, handler);
  } catch {
    // The action stays without a button there.
  }
}

function stateOf({ status }: PlaybackSnapshot): MediaSessionPlaybackState {
  if (status === 'playing' || status === 'waiting') return 'playing';
  return status === 'empty' ? 'none' : 'paused';
}

/** The system counts on by itself; it needs to hear only of what it could not foresee. */
function jumped(before: PlaybackSnapshot | null, now: PlaybackSnapshot): boolean {
  return (
    !before ||
    before.status !== now.status ||
    before.rate !== now.rate ||
    before.durationMs !== now.durationMs ||
    Math.abs(now.positionMs - before.positionMs) > second
  );
}

function updatePosition({ positionMs, durationMs, rate, track }: PlaybackSnapshot): void {
  // Without arguments the system forgets what it showed.
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
