import type { SoundTrack } from './probe-sound.ts';

/**
 * ffmpeg's filter that makes silence of samples that are no numbers; null if the track has none. Only floating-point
 * samples can be NaN or infinite. Encoders fail at one of them, and filters spread it.
 */
export const finiteSamples = ({ depth }: Pick<SoundTrack, 'depth'>): string | null =>
  depth === 'f32' ? "aeval='if(isnan(val(ch))+isinf(val(ch)),0,val(ch))':c=same" : null;
