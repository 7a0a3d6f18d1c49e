import { takePlayOnOpen } from '#web/recordings/play-on-open.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { isGrowing, type PlayableRecording } from '#web/features/player/playable-recording.ts';
import { parseMoment } from '#web/features/player/moment.ts';
import { withChosenChannel } from './one-channel.ts';
import { openAndResume } from './resume.ts';
import type { Track } from '#playback/playback-state.ts';
import { selection, rangeOf } from '#web/features/player/engine/selection.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

function trackOf(recording: PlayableRecording): Track {
  const { id, audioUrl: url, audioSections: sections, durationMs, sizeBytes, gaps, channels } = recording;
  return withChosenChannel({
    id,
    url,
    sections,
    title: titleText(recording),
    durationMs,
    sizeBytes,
    gaps,
    growing: isGrowing(recording),
    channels,
  });
}

/**
 * Loads a recording into the player. It resumes where it was left, unless it is already loaded, is live, or the
 * URL names a moment. A link called “Play” also plays it.
 */
export function openRecording(recording: PlayableRecording): void {
  const track = trackOf(recording);
  const isIn = player.getSnapshot().track?.id === track.id;
  if (isIn || track.growing || parseMoment(location.hash)) player.open(track);
  else openAndResume(track);
  if (takePlayOnOpen()) player.play();
}

/** Updates the recording if it is the one in the player; another one may have replaced it. */
export function updateRecording(recording: PlayableRecording): void {
  if (player.getSnapshot().track?.id === recording.id) player.open(trackOf(recording));
}

/** Called when the page of the recording closes. What plays continues, from this device too. */
export function leaveRecording(): void {
  const { status } = player.getSnapshot();
  const isPlaying = status === 'playing' || status === 'waiting';
  if (!isPlaying) player.pause();
}

/** Stops playback of a recording that was moved to the trash. */
export function stopPlaying(recordingId: string): void {
  if (player.getSnapshot().track?.id === recordingId) player.close();
}

/** Seeks to the moment in the URL, now and whenever it changes. Returns a function that stops this. */
export function followMoment(): () => void {
  const lifetime = new AbortController();
  addEventListener('hashchange', seekToMoment, { signal: lifetime.signal });
  seekToMoment();
  return () => lifetime.abort();
}

function seekToMoment(): void {
  const moment = parseMoment(location.hash);
  if (!moment) return;
  player.seekRange(moment.fromMs, moment.toMs);
  selection.set(moment.toMs === null ? null : rangeOf(moment.fromMs, moment.toMs, player.durationMs()));
}
