import { second } from '#base/duration.ts';
import { placedSound } from '#server/processes/ffmpeg/placed-sound.ts';
import type { Cut } from './chapters.ts';

/**
 * How much sound may be missing at the end of a source whose samples are stored as they are: lengths are
 * rounded, and containers differ by a packet.
 */
const roundingMs = 100;
/**
 * What lossy codecs add at both ends, and decoders cut away or leave in: the most is AAC's two packets of
 * priming and a last one that is not full.
 */
const codecEndSamples = 3500;

/**
 * By how much the sound that is decoded may be shorter than the recording: what codecs do at their ends, and
 * no more.
 */
export const toleranceMs = ({ codec, sampleRateHz }: { codec: string; sampleRateHz: number }): number =>
  roundingMs +
  (/^(?:pcm|flac|alac|alaw|ulaw)/.test(codec) ? 0 : Math.ceil((codecEndSamples * second) / sampleRateHz));

/** What the filters have to know of a conversion. */
export interface FilteredSound {
  cut: Cut;
  sampleRateHz: number;
  frames: number;
  toleranceMs: number;
}

/**
 * ffmpeg's filters that give exactly as many frames as a cut is long, of sound in its place. Only as much is
 * padded as codecs take away at their ends: a source that has less gives less, which the caller sees.
 */
export function soundFilter({
  cut: { fromMs, toMs },
  sampleRateHz,
  frames,
  toleranceMs: paddedMs,
}: FilteredSound): string {
  // A timestamp that leaps beyond the end asks for no more silence than up to there.
  return [
    placedSound({ latestMs: toMs, sampleRateHz }),
    `atrim=start=${fromMs / second}:end=${toMs / second}`,
    'asetpts=N/SR/TB',
    `apad=pad_len=${Math.ceil((paddedMs * sampleRateHz) / second)}`,
    `atrim=end_sample=${frames}`,
  ].join(',');
}
