import { i18n } from '@lingui/core';
import { second } from '#base/duration.ts';
import { navigate } from 'wouter/use-browser-location';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import type { ServerLength } from '#device/takes/device-take.ts';
import { isTakeRunning } from '#web/api/sign-in-prompt.ts';
import { userScope } from '#web/api/user-scope.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { loadTrack } from '#web/features/player/data/server-track.ts';
import { setMediaAction } from '#playback/media-session.ts';
import type { Track } from '#playback/playback-state.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { PeaksSource } from '#web/features/player/peaks/peaks-source.ts';
import { serverPeaks } from '#web/features/player/peaks/server-peaks.ts';
import { releaseAfterPlaying } from '#web/features/player/engine/release-after-playing.ts';
import { isServerTrack, openAndResume } from './resume.ts';
import { silenceSkipping } from './silence-skipping.ts';
import { sleepTimer } from './shared-sleep-timer.ts';
import { PlayQueue, type QueueItem } from './play-queue.ts';

/** Within this time, Previous plays the recording before; later it restarts the current one. */
const restartAfterMs = 3 * second;

/**
 * A playable recording and the source of its waveform. `release` frees its files: call it when the player has
 * another recording, or if it was not loaded.
 */
export interface PlayableTrack {
  track: Track;
  peaks: PeaksSource;
  release?: () => void;
}

/**
 * Opens a recording from its files on this device; null if this device has no files of it.
 * @param server what the server has of it: null also if this device is not ahead of that
 */
type OpenOnDevice = (recordingId: string, server?: ServerLength) => Promise<PlayableTrack | null>;
let openOnDevice: OpenOnDevice = async () => null;

/**
 * Sets how the player opens recordings from this device: those that only it has, those of which the server has only
 * a part, and copies while the server can't be reached.
 */
export function playFromDevice(open: OpenOnDevice): void {
  openOnDevice = open;
}

/** The queue of the page's player. */
export const playQueue = new PlayQueue();
userScope.onSessionEnd(() => playQueue.reset());

let lastStatus = '';
player.subscribe(() => {
  const { status, track } = player.getSnapshot();
  const hasFailed = status === 'failed' && lastStatus !== 'failed';
  // A copy on this device may be removed while it plays.
  if (hasFailed && track?.url.startsWith('blob:')) void playFromServer(track.id);
  const hasEnded = status === 'ended' && lastStatus !== 'ended';
  lastStatus = status;
  // With the sleep timer set to the end of the recording, nothing plays next. The timer resets its choice only
  // after it has paused.
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

/** Continues a recording from the server. Without one there, the failure of the player stays. */
async function playFromServer(id: string): Promise<void> {
  const track = await loadTrack(id).catch(() => null);
  if (track && player.getSnapshot().track?.id === id) player.open(track);
}

/** Plays the first recording in the queue, if any. */
async function playNextInQueue(): Promise<void> {
  const [first] = playQueue.getSnapshot();
  if (first) await playFromQueue(first.id);
}

/** Plays a recording of the queue before its turn. */
export async function playFromQueue(id: string): Promise<void> {
  const item = playQueue.getSnapshot().find((waiting) => waiting.id === id);
  if (item) await start(item, { take: (instead) => playQueue.take(id, instead), orElse: playNextInQueue });
}

/** Restarts the recording, or within its first seconds plays the one before. */
async function playPrevious(): Promise<void> {
  const before = player.positionMs() > restartAfterMs ? null : playQueue.before;
  if (before)
    await start(before, {
      take: (instead) => (playQueue.before === before ? playQueue.previous(instead) : null),
      orElse: playPrevious,
    });
  else player.seek(0);
}

/** Number of recordings that are being opened for playback. */
let opening = 0;

/**
 * Adds a recording to the queue, first or last. If the player is empty and not opening another, it plays
 * immediately, unless this page is recording and the microphone would pick it up.
 */
export async function enqueue(item: QueueItem, place: 'next' | 'last'): Promise<void> {
  if (place === 'next') playQueue.playNext(item);
  else playQueue.add(item);
  if (player.getSnapshot().track === null && opening === 0 && !isTakeRunning()) await playFromQueue(item.id);
}

/** Plays a recording immediately, or pauses it if it is playing. The queue does not change. */
export async function playNow(item: QueueItem): Promise<void> {
  const { track, status } = player.getSnapshot();
  if (track?.id !== item.id) return start(item, { take: () => item, orElse: async () => undefined });
  if (status === 'playing' || status === 'waiting') player.pause();
  else player.play();
}

interface Turn {
  /** Removes the recording from the queue or history; null if it is no longer there. */
  take: (instead: QueueItem | null) => QueueItem | null;
  /** Called if the recording no longer exists. */
  orElse: () => Promise<void>;
}

/**
 * Opens a recording from the server. Opens it from this device if only it has the recording or all of it, or if it
 * has a copy and the server can't be reached.
 */
async function open({ id, isOnServer }: QueueItem): Promise<PlayableTrack> {
  const here = isOnServer ? null : await openOnDevice(id);
  if (here !== null) return here;
  // What only this device had when it was queued may have been uploaded since.
  if (!isOnServer && userScope.userId === null) return noRecording();
  try {
    const track = await loadTrack(id);
    return (await openIfAhead(track)) ?? { track, peaks: serverPeaks(id) };
  } catch (error) {
    const copy = isUnreached(error) ? await openOnDevice(id) : null;
    if (copy === null) throw error;
    return copy;
  }
}

/** If the files on this device can't be read, the server's part is better than nothing. */
const openIfAhead = ({ id, durationMs, growing: isGrowing }: Track): Promise<PlayableTrack | null> =>
  openOnDevice(id, { durationMs, isGrowing }).catch(() => null);

function noRecording(): never {
  throw new ApiError({ code: 'not-found', status: 404, problem: null });
}

/** Opens a recording and plays it. It stays queued until it is open, and if it can't be opened now. */
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
  if (release) releaseAfterPlaying(track.url, release);
  silenceSkipping.follow(peaks);
  if (!isTakeRunning()) player.play();
  // If the page of the previous recording is open, go to the page of the new one.
  if (idBefore !== undefined && location.pathname === `/recordings/${idBefore}`)
    navigate(`/recordings/${track.id}`);
}

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not-found' || error.code === 'purged');
