import { second } from '#base/duration.ts';
import { placedSound } from '#server/processes/ffmpeg/placed-sound.ts';
import type { Cut } from './chapters.ts';

/**
 * How much sound may be missing at the end of a lossless source, because durations are rounded and containers
 * differ by a packet.
 */
const roundingMs = 100;
/**
 * The most samples that lossy codecs add at both ends and that decoders may or may not remove: AAC's two priming
 * packets and a partial last one.
 */
const codecEndSamples = 3500;

/** How much shorter than the recording the decoded sound may be, in ms: what codecs do at the ends, and no more. */
export const toleranceMs = ({ codec, sampleRateHz }: { codec: string; sampleRateHz: number }): number =>
  roundingMs +
  (/^(?:pcm|flac|alac|alaw|ulaw)/.test(codec) ? 0 : Math.ceil((codecEndSamples * second) / sampleRateHz));

/** The parameters of the filters. */
export interface FilteredSound {
  cut: Cut;
  sampleRateHz: number;
  frames: number;
  toleranceMs: number;
  /** Filters that mix the channels; null if they stay as they are. */
  channelFilter: string | null;
  /** The filter before all others; null if there is none. */
  firstFilter: string | null;
}

/**
 * The ffmpeg filters that output exactly the frames of a cut, with the sound in place. The padding only makes up
 * for what codecs remove at the ends. A source with less sound therefore outputs less, which the caller detects.
 */
export function soundFilter({
  cut: { fromMs, toMs },
  sampleRateHz,
  frames,
  toleranceMs: paddedMs,
  channelFilter,
  firstFilter,
}: FilteredSound): string {
  // A timestamp beyond the end adds silence only up to the end.
  return [
    ...(firstFilter === null ? [] : [firstFilter]),
    placedSound({ latestMs: toMs, sampleRateHz }),
    ...(channelFilter === null ? [] : [channelFilter]),
    `atrim=start=${fromMs / second}:end=${toMs / second}`,
    'asetpts=N/SR/TB',
    `apad=pad_len=${Math.ceil((paddedMs * sampleRateHz) / second)}`,
    `atrim=end_sample=${frames}`,
  ].join(',');
}
