import { second } from '#base/duration.ts';
import { navigate } from 'wouter/use-browser-location';
import { call, urlOf } from '#web/api/call.ts';
import { setMediaAction } from '../engine/media-session.ts';
import type { Track } from '../engine/playback-state.ts';
import { player } from '../engine/shared-player.ts';
import { serverPeaks } from '../peaks/server-peaks.ts';
import { openWhereLeft } from '../resume/resume.ts';
import { silenceSkipping } from '../silence/silence-skipping.ts';
import { PlayQueue, type QueueItem } from './play-queue.ts';

/** Going back within the first seconds means the recording before; later it means the beginning of this one. */
const backMeansBeginningMs = 3 * second;

/** What the page's player plays next. */
export const playQueue = new PlayQueue();

let lastStatus = '';
player.subscribe(() => {
  const { status } = player.getSnapshot();
  if (status === 'ended' && lastStatus !== 'ended') void playNextInQueue();
  lastStatus = status;
});
playQueue.subscribe(() => setMediaAction('nexttrack', playQueue.getSnapshot().length > 0 ? () => void playNextInQueue() : null));
setMediaAction('previoustrack', () => void playPrevious());

function present(): QueueItem | null {
  const { track } = player.getSnapshot();
  return track && { id: track.id, title: track.title, durationMs: track.durationMs };
}

/** Plays what waits first; nothing happens where nothing waits. */
function playNextInQueue(): Promise<void> {
  return start(playQueue.next(present()));
}

/** Plays one of those that wait, before its turn. */
export function playFromQueue(id: string): Promise<void> {
  return start(playQueue.take(id, present()));
}

/** The beginning of the recording, or within its first seconds the one before. */
function playPrevious(): Promise<void> {
  const before = player.positionMs() > backMeansBeginningMs ? null : playQueue.previous(present());
  if (before) return start(before);
  player.seek(0);
  return Promise.resolve();
}

/** Puts a recording into the queue, first or last; where nothing is in the player it is played at once. */
export async function enqueue(item: QueueItem, place: 'next' | 'last'): Promise<void> {
  if (player.getSnapshot().track === null) {
    await start(item);
    return;
  }
  if (place === 'next') playQueue.playNext(item);
  else playQueue.add(item);
}

/** Opens a recording of the server and plays it; one that is no longer there gives way to the next. */
async function start(item: QueueItem | null): Promise<void> {
  if (!item) return;
  const shownBefore = player.getSnapshot().track?.id;
  const track = await trackOf(item).catch(() => null);
  if (!track) {
    await start(playQueue.next(null));
    return;
  }
  openWhereLeft(track);
  silenceSkipping.follow(serverPeaks(track.id));
  player.play();
  // The page of the recording that gave way turns to the one that plays.
  if (shownBefore !== undefined && location.pathname === `/recordings/${shownBefore}`) navigate(`/recordings/${track.id}`);
}

async function trackOf({ id }: QueueItem): Promise<Track> {
  const params = { recordingId: id };
  const { title, durationMs, sizeBytes, gaps, state } = await call('getRecording', { params });
  return { id, title, durationMs, sizeBytes, gaps, growing: state === 'receiving', url: urlOf('getAudio', { params }) };
}
