import { second } from '#base/duration.ts';

/** What there is to say about the level: no sound, distortion, or nothing. */
export type LevelVerdict = 'silent' | 'loud' | 'fine';

/** Sound louder than this (−60 dB) ends the silence, as in a recording. */
const audiblePeak = 0.001;
const silentAfterMs = 5 * second;
const loudForMs = 2.5 * second;

/** Judges a level that is checked before a recording; gives the verdict after each block. Silence counts only while blocks come. */
export function createLevelJudge(): (peak: number, nowMs: number) => LevelVerdict {
  let silentSinceMs: number | null = null;
  let loudUntilMs = 0;
  return (peak, nowMs) => {
    silentSinceMs = peak >= audiblePeak ? null : silentSinceMs ?? nowMs;
    if (peak >= 0.999) loudUntilMs = nowMs + loudForMs;
    if (nowMs < loudUntilMs) return 'loud';
    return silentSinceMs !== null && nowMs - silentSinceMs >= silentAfterMs ? 'silent' : 'fine';
  };
}
