import { call, urlOf } from '#web/api/call.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import type { Track } from '#web/features/player/engine/playback-state.ts';

/**
 * Where the audio of a recording on the server is loaded.
 * @param sectionMs how long its sections are; null where it is always loaded whole
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

/** A recording on the server as the player wants it. */
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
