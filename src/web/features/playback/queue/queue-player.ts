import { i18n } from '@lingui/core';
import { second } from '#base/duration.ts';
import { navigate } from 'wouter/use-browser-location';
import { ApiError } from '#web/api/api-error.ts';
import { isTakeRunning } from '#web/api/sign-in-prompt.ts';
import { messageOf } from '#web/api/words/error-words.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { loadTrack } from '../data/server-track.ts';
import { setMediaAction } from '../engine/media-session.ts';
import type { Track } from '../engine/playback-state.ts';
import { player } from '../engine/shared-player.ts';
import { serverPeaks } from '../peaks/server-peaks.ts';
import { openWhereLeft } from '../resume/resume.ts';
import { silenceSkipping } from '../silence/silence-skipping.ts';
import { sleepTimer } from '../sleep/shared-sleep-timer.ts';
import { PlayQueue, type QueueItem } from './play-queue.ts';

/** Going back within the first seconds means the recording before; later it means the beginning of this one. */
const backMeansBeginningMs = 3 * second;

/** What the page's player plays next. */
export const playQueue = new PlayQueue();

let lastStatus = '';
player.subscribe(() => {
  const { status } = player.getSnapshot();
  const hasEnded = status === 'ended' && lastStatus !== 'ended';
  lastStatus = status;
  // Whoever falls asleep at the end hears nothing after it; the timer gives up its choice only after it has paused.
  if (hasEnded && sleepTimer.getSnapshot().choice !== 'end') void playNextInQueue();
});
playQueue.subscribe(() => setMediaAction('nexttrack', playQueue.getSnapshot().length > 0 ? () => void playNextInQueue() : null));
setMediaAction('previoustrack', () => void playPrevious());

function present(): QueueItem | null {
  const { track } = player.getSnapshot();
  return track && { id: track.id, title: track.title, durationMs: track.durationMs };
}

/** Plays what waits first; nothing happens where nothing waits. */
async function playNextInQueue(): Promise<void> {
  const [first] = playQueue.getSnapshot();
  if (first) await playFromQueue(first.id);
}

/** Plays one of those that wait, before its turn. */
export async function playFromQueue(id: string): Promise<void> {
  await start(id, { take: (instead) => playQueue.take(id, instead), orElse: playNextInQueue });
}

/** The beginning of the recording, or within its first seconds the one before. */
async function playPrevious(): Promise<void> {
  const before = player.positionMs() > backMeansBeginningMs ? null : playQueue.before;
  if (before) await start(before.id, { take: (instead) => (playQueue.before === before ? playQueue.previous(instead) : null), orElse: playPrevious });
  else player.seek(0);
}

/** Recordings that are asked for, to be played. */
let opening = 0;

/** Puts a recording into the queue, first or last; where nothing is in the player, nor on its way there, it is played at once, unless a take would hear it. */
export async function enqueue(item: QueueItem, place: 'next' | 'last'): Promise<void> {
  if (place === 'next') playQueue.playNext(item);
  else playQueue.add(item);
  if (player.getSnapshot().track === null && opening === 0 && !isTakeRunning()) await playFromQueue(item.id);
}

/** Plays a recording of the server at once, or pauses it where it is playing. What waits in the queue stays there. */
export async function playNow(item: QueueItem): Promise<void> {
  const { track, status } = player.getSnapshot();
  if (track?.id !== item.id) return start(item.id, { take: () => item, orElse: async () => undefined });
  if (status === 'playing' || status === 'waiting') player.pause();
  else player.play();
}

interface Turn {
  /** Takes it from where it waits; null where it no longer does. */
  take: (instead: QueueItem | null) => QueueItem | null;
  /** What to do where the recording is no longer there. */
  orElse: () => Promise<void>;
}

/** Opens a recording of the server and plays it. It waits on until the server has answered, and where it cannot be asked. */
async function start(id: string, { take, orElse }: Turn): Promise<void> {
  const shownBefore = player.getSnapshot().track?.id;
  let track: Track;
  opening += 1;
  try {
    track = await loadTrack(id);
  } catch (error) {
    if (!isGone(error)) showFailure(() => i18n._(messageOf(error)));
    else if (take(null)) await orElse();
    return;
  } finally {
    opening -= 1;
  }
  if (!take(present())) return;
  openWhereLeft(track);
  silenceSkipping.follow(serverPeaks(track.id));
  if (!isTakeRunning()) player.play();
  // The page of the recording that gave way turns to the one that plays.
  if (shownBefore !== undefined && location.pathname === `/recordings/${shownBefore}`) navigate(`/recordings/${track.id}`);
}

const isGone = (error: unknown): boolean => error instanceof ApiError && (error.code === 'not-found' || error.code === 'purged');
