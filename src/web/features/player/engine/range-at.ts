import { countBefore } from '#web/features/player/time-order.ts';
import type { SoundSelection } from './selection.ts';

/**
 * So little before the end of a stretch nothing is worth a jump: a seek may land that much before the moment
 * it was sent to.
 */
const seekToleranceMs = 20;

/**
 * The stretch that a moment lies in, of stretches in the order of time that do not overlap; null where there
 * is none.
 */
export function rangeAt(ranges: readonly SoundSelection[], atMs: number): SoundSelection | null {
  const found = ranges[countBefore(ranges, ({ toMs }) => toMs - seekToleranceMs > atMs)];
  return found !== undefined && atMs >= found.fromMs ? found : null;
}
