import { audibleAmplitude, clippingAmplitude } from '#audio/sound-levels.ts';
import { second } from '#base/duration.ts';

/** What there is to say about the level: no sound, distortion, or nothing. */
export type LevelVerdict = 'silent' | 'loud' | 'fine';

const silentAfterMs = 5 * second;
const loudForMs = 2.5 * second;

/**
 * Judges a level that is checked before a recording; gives the verdict after each block. Silence counts only
 * while blocks come.
 */
export function createLevelJudge(): (peak: number, nowMs: number) => LevelVerdict {
  let silentSinceMs: number | null = null;
  let loudUntilMs = 0;
  return (peak, nowMs) => {
    silentSinceMs = peak >= audibleAmplitude ? null : (silentSinceMs ?? nowMs);
    if (peak >= clippingAmplitude) loudUntilMs = nowMs + loudForMs;
    if (nowMs < loudUntilMs) return 'loud';
    return silentSinceMs !== null && nowMs - silentSinceMs >= silentAfterMs ? 'silent' : 'fine';
  };
}
