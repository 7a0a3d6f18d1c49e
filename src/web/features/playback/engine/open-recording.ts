import { isGrowing, type PlayableRecording } from '../playable-recording.ts';
import { parseMoment } from '../moment.ts';
import { player } from './shared-player.ts';

/** Puts a recording into the player, or brings the one that is in up to date. */
export function openRecording(recording: PlayableRecording): void {
  const { id, audioUrl: url, title, durationMs, sizeBytes } = recording;
  player.open({ id, url, title, durationMs, sizeBytes, growing: isGrowing(recording) });
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
  if (moment) player.seekRange(moment.fromMs, moment.toMs);
}
