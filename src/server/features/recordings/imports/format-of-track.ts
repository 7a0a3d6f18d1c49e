import { nearestWithin } from '#base/numbers/untrusted-numbers.ts';
import type { Format } from '#contract/formats.ts';
import type { SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';

/** A format with the numbers of a file in it, none of them beyond what a format may have. */
export const boundedFormat = ({ sampleRateHz, channels, ...format }: Format): Format => ({
  ...format,
  sampleRateHz: nearestWithin(sampleRateHz, { least: 1000, most: 768_000 }),
  channels: nearestWithin(channels, { least: 1, most: 8 }),
});

/** ffmpeg's names in our spelling. */
const codecName = (codec: string): string =>
  codec
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 32) || 'unknown';

/** What a file is that ffmpeg alone reads; unknown where there is no ffprobe to ask. */
export function formatOfTrack(container: Format['container'], track: SoundTrack | undefined): Format {
  if (track === undefined) return { container, codec: 'unknown', sampleRateHz: 48_000, channels: 2 };
  return boundedFormat({
    container,
    codec: codecName(track.codec),
    sampleRateHz: track.sampleRateHz,
    channels: track.channels,
  });
}
