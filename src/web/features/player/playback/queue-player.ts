import { i18n } from '@lingui/core';
import { second } from '#base/duration.ts';
import { navigate } from 'wouter/use-browser-location';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { isTakeRunning } from '#web/api/sign-in-prompt.ts';
import { userScope } from '#web/api/user-scope.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { loadTrack } from '#web/features/player/data/server-track.ts';
import { setMediaAction } from '#web/features/player/engine/media-session.ts';
import type { Track } from '#web/features/player/engine/playback-state.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import { serverPeaks } from '#web/features/player/peaks/server-peaks.ts';
import { isServerTrack, openAndResume } from './resume.ts';
import { silenceSkipping } from './silence-skipping.ts';
import { sleepTimer } from './shared-sleep-timer.ts';
import { PlayQueue, type QueueItem } from './play-queue.ts';

/**
 * Going back within the first seconds means the recording before; later it means the beginning of this one.
 */
const backMeansBeginningMs = 3 * second;

/**
 * A recording that can be played, and where its waveform is read. `release` gives back its files, once the
 * player has another one or where it was not loaded.
 */
export interface PlayableTrack {
  track: Track;
  peaks: PeaksSource;
  release?: () => void;
}

/** Opens a recording from its files on this device; null where this device has none. */
type OpenOnDevice = (recordingId: string) => Promise<PlayableTrack | null>;
let openOnDevice: OpenOnDevice = async () => null;

/**
 * Says how the player reads recordings of this device: those that only it has, and copies while the server
 * can't be reached.
 */
export function playFromDevice(open: OpenOnDevice): void {
  openOnDevice = open;
}

/** What the page's player plays next. */
export const playQueue = new PlayQueue();
userScope.onSessionEnd(() => playQueue.reset());

let lastStatus = '';
player.subscribe(() => {
  const { status } = player.getSnapshot();
  const hasEnded = status === 'ended' && lastStatus !== 'ended';
  lastStatus = status;
  // Whoever falls asleep at the end hears nothing after it; the timer gives up its choice only after it has
  // paused.
  if (hasEnded && sleepTimer.getSnapshot().choice !== 'end') void playNextInQueue();
});
playQueue.subscribe(() =>
  setMediaAction('nexttrack', playQueue.getSnapshot().length > 0 ? () => void playNextInQueue() : null),
);
setMediaAction('previoustrack', () => void playPrevious());

function present(): QueueItem | null {
  const { track } = player.getSnapshot();
  return (
    track && {
      id: track.id,
      title: track.title,
      durationMs: track.durationMs,
      isOnServer: isServerTrack(track),
    }
  );
}

/** Plays what waits first; nothing happens where nothing waits. */
async function playNextInQueue(): Promise<void> {
  const [first] = playQueue.getSnapshot();
  if (first) await playFromQueue(first.id);
}

/** Plays one of those that wait, before its turn. */
export async function playFromQueue(id: string): Promise<void> {
  const item = playQueue.getSnapshot().find((waiting) => waiting.id === id);
  if (item) await start(item, { take: (instead) => playQueue.take(id, instead), orElse: playNextInQueue });
}

/** The beginning of the recording, or within its first seconds the one before. */
async function playPrevious(): Promise<void> {
  const before = player.positionMs() > backMeansBeginningMs ? null : playQueue.before;
  if (before)
    await start(before, {
      take: (instead) => (playQueue.before === before ? playQueue.previous(instead) : null),
      orElse: playPrevious,
    });
  else player.seek(0);
}

/** Recordings that are asked for, to be played. */
let opening = 0;

/**
 * Puts a recording into the queue, first or last; where nothing is in the player, nor on its way there, it is
 * played at once, unless a take would hear it.
 */
export async function enqueue(item: QueueItem, place: 'next' | 'last'): Promise<void> {
  if (place === 'next') playQueue.playNext(item);
  else playQueue.add(item);
  if (player.getSnapshot().track === null && opening === 0 && !isTakeRunning()) await playFromQueue(item.id);
}

/** Plays a recording at once, or pauses it where it is playing. What waits in the queue stays there. */
export async function playNow(item: QueueItem): Promise<void> {
  const { track, status } = player.getSnapshot();
  if (track?.id !== item.id) return start(item, { take: () => item, orElse: async () => undefined });
  if (status === 'playing' || status === 'waiting') player.pause();
  else player.play();
}

interface Turn {
  /** Takes it from where it waits; null where it no longer does. */
  take: (instead: QueueItem | null) => QueueItem | null;
  /** What to do where the recording is no longer there. */
  orElse: () => Promise<void>;
}

/**
 * From the server; from this device where only it has the recording, or has a copy of what the server can't
 * be asked for.
 */
async function open({ id, isOnServer }: QueueItem): Promise<PlayableTrack> {
  if (!isOnServer) return (await openOnDevice(id)) ?? noRecording();
  try {
    return { track: await loadTrack(id), peaks: serverPeaks(id) };
  } catch (error) {
    const copy = isUnreached(error) ? await openOnDevice(id) : null;
    if (copy === null) throw error;
    return copy;
  }
}

function noRecording(): never {
  throw new ApiError({ code: 'not-found', status: 404, problem: null });
}

/** Calls `release` once the player has another recording than the one that was just loaded. */
function releaseWithTrack({ id }: Track, release: () => void): void {
  const stop = player.subscribe(() => {
    if (player.getSnapshot().track?.id === id) return;
    stop();
    release();
  });
}

/** Opens a recording and plays it. It waits on until it is open, and where it can't be opened now. */
async function start(item: QueueItem, { take, orElse }: Turn): Promise<void> {
  const idBefore = player.getSnapshot().track?.id;
  let playable: PlayableTrack;
  opening += 1;
  try {
    playable = await open(item);
  } catch (error) {
    if (!isGone(error)) showFailure(() => i18n._(messageOf(error)));
    else if (take(null)) await orElse();
    return;
  } finally {
    opening -= 1;
  }
  if (take(present())) play(playable, idBefore);
  else playable.release?.();
}

function play({ track, peaks, release }: PlayableTrack, idBefore: string | undefined): void {
  openAndResume(track);
  if (release) releaseWithTrack(track, release);
  silenceSkipping.follow(peaks);
  if (!isTakeRunning()) player.play();
  // The page of the recording that gave way turns to the one that plays.
  if (idBefore !== undefined && location.pathname === `/recordings/${idBefore}`)
    navigate(`/recordings/${track.id}`);
}

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not-found' || error.code === 'purged');
