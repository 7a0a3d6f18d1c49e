import { maxQuieterDb } from '#contract/recordings.ts';
import type { SoundTrack } from './probe-sound.ts';

/** The loudest sample that is sound. Full scale is 1. */
const maxSample = 10 ** (maxQuieterDb / 20);

/**
 * By how much a sound must be quieter to be at most at full scale, in whole dB.
 * @param peak the largest absolute sample; full scale is 1
 */
export function dbAboveFullScale(peak: number): number {
  return peak > 1 ? Math.min(maxQuieterDb, Math.ceil(20 * Math.log10(peak))) : 0;
}

/** Whether the samples of a track can be louder than full scale, or no numbers. */
export const isFloat = ({ depth }: Pick<SoundTrack, 'depth'>): boolean => depth === 'f32';

/**
 * ffmpeg's filters for floating-point samples; null for others. Samples that are no numbers, or too loud to be sound,
 * become silence: encoders fail at one of them, and filters spread it.
 * @param quieterDb by how much the sound becomes quieter
 */
export function floatSamples(track: Pick<SoundTrack, 'depth'>, quieterDb = 0): string | null {
  if (!isFloat(track)) return null;
  const sound = `aeval='if(isnan(val(ch))+gt(abs(val(ch)),${maxSample}),0,val(ch))':c=same`;
  return quieterDb === 0 ? sound : `${sound},volume=-${quieterDb}dB:precision=double`;
}
