import { call, urlOf } from '#web/api/call.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import type { Track, TrackChannels } from '#playback/playback-state.ts';

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

/** How many channels Web Audio can take apart. */
const maxChannels = 32;
/** Files that browsers play with all their channels. */
const playedWhole: ReadonlySet<string> = new Set(['wav', 'flac']);

/** The channels of a recording that can be heard alone: those of an imported file with more than two. */
export function channelsOf({
  id,
  source,
  format,
  audioTracks,
  channelNames,
  quieterByDb,
}: RecordingDetails): TrackChannels | null {
  const { channels, container } = format;
  const isWhole = source === 'import' && playedWhole.has(container) && audioTracks.length === 0;
  if (!isWhole || channels <= 2 || channels > maxChannels) return null;
  return {
    names: Array.from({ length: channels }, (_, channel) => channelNames[channel] ?? ''),
    url: urlOf('getOriginal', { params: { recordingId: id } }),
    quieterByDb: quieterByDb ?? 0,
  };
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
    channels: channelsOf(recording),
    ...audioAddresses(id, audioSectionMs),
  };
}
