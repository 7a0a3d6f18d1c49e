import { call, urlOf } from '#web/api/call.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import type { Track } from '#web/features/player/engine/playback-state.ts';

/**
 * The URLs of a recording's audio on the server.
 * @param sectionMs length of a section; null if the recording is always loaded whole
 */
export function audioAddresses(
  recordingId: string,
  sectionMs: number | null,
): Pick<Track, 'url' | 'sections'> {
  const params = { recordingId };
  const sections =
    sectionMs === null
      ? null
      : { eachMs: sectionMs, urlOf: (section: number) => urlOf('getAudio', { params, query: { section } }) };
  return { url: urlOf('getAudio', { params }), sections };
}

/** Loads a recording from the server as a track for the player. */
export async function loadTrack(id: string): Promise<Track> {
  const recording = await call('getRecording', { params: { recordingId: id } });
  const { durationMs, sizeBytes, gaps, state, audioSectionMs } = recording;
  return {
    id,
    title: titleText(recording),
    durationMs,
    sizeBytes,
    gaps,
    growing: state === 'receiving',
    ...audioAddresses(id, audioSectionMs),
  };
}
