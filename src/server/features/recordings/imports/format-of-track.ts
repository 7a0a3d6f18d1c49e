import { nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import { maxChannels } from '#contract/channels.ts';
import type { Format } from '#contract/formats.ts';
import type { SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';

/** Limits the numbers in a file's format to the range that a format may have. */
export const boundedFormat = ({ sampleRateHz, channels, ...format }: Format): Format => ({
  ...format,
  sampleRateHz: nearestWithin(sampleRateHz, { min: 1000, max: 768_000 }),
  channels: nearestWithin(channels, { min: 1, max: maxChannels }),
});

/** ffmpeg's codec name, reduced to the characters that we allow. */
const codecName = (codec: string): string =>
  codec
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 32) || 'unknown';

/** The format of a file that only ffmpeg reads; unknown if ffprobe is missing. */
export function formatOfTrack(container: Format['container'], track: SoundTrack | undefined): Format {
  if (track === undefined) return { container, codec: 'unknown', sampleRateHz: 48_000, channels: 2 };
  return boundedFormat({
    container,
    codec: codecName(track.codec),
    sampleRateHz: track.sampleRateHz,
    channels: track.channels,
  });
}
