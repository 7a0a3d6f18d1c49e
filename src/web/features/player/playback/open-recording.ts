import { titleText } from '#web/recordings/time/title-text.ts';
import { isGrowing, type PlayableRecording } from '#web/features/player/playable-recording.ts';
import { parseMoment } from '#web/features/player/moment.ts';
import { openAndResume } from './resume.ts';
import type { Track } from '#web/features/player/engine/playback-state.ts';
import { selection, rangeOf } from '#web/features/player/engine/selection.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

function trackOf(recording: PlayableRecording): Track {
  const { id, audioUrl: url, audioSections: sections, durationMs, sizeBytes, gaps } = recording;
  return {
    id,
    url,
    sections,
    title: titleText(recording),
    durationMs,
    sizeBytes,
    gaps,
    growing: isGrowing(recording),
  };
}

/**
 * Puts a recording into the player: where it was left, unless it is in already, still grows, or the address
 * names a moment.
 */
export function openRecording(recording: PlayableRecording): void {
  const track = trackOf(recording);
  const isIn = player.getSnapshot().track?.id === track.id;
  if (isIn || track.growing || parseMoment(location.hash)) player.open(track);
  else openAndResume(track);
}

/**
 * Brings the recording up to date if it is the one in the player; another one may have had its turn by now.
 */
export function updateRecording(recording: PlayableRecording): void {
  if (player.getSnapshot().track?.id === recording.id) player.open(trackOf(recording));
}

/**
 * The screen of the recording goes: what plays goes on, unless it is a file of this page, whose address ends
 * with its screen.
 */
export function leaveRecording(): void {
  const { track, status } = player.getSnapshot();
  const isPlaying = status === 'playing' || status === 'waiting';
  if (!isPlaying) player.pause();
  if (track?.url.startsWith('blob:')) player.close();
}

/** A recording that was put away is no longer to be heard. */
export function stopPlaying(recordingId: string): void {
  if (player.getSnapshot().track?.id === recordingId) player.close();
}

/** Goes to the moment that the address names, now and whenever it changes; the undo stops following. */
export function followMoment(): () => void {
  const lifetime = new AbortController();
  addEventListener('hashchange', goToMoment, { signal: lifetime.signal });
  goToMoment();
  return () => lifetime.abort();
}

function goToMoment(): void {
  const moment = parseMoment(location.hash);
  if (!moment) return;
  player.seekRange(moment.fromMs, moment.toMs);
  selection.set(moment.toMs === null ? null : rangeOf(moment.fromMs, moment.toMs, player.durationMs()));
}
