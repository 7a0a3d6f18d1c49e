import { second } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { believableLength } from './believable.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';

/** State and length of a recording, for checking anything placed in it. */
export type RecordingBounds = Pick<RecordingRow, 'state' | 'duration_ms'>;

/** Clocks, last pages and players may disagree by some milliseconds on the length of a recording. */
const toleranceMs = second;

/**
 * Returns the latest position in a recording, in milliseconds, at which anything may be placed. The device of an
 * unfinished recording may be ahead of the bytes that have arrived.
 */
export const latestMomentMs = ({ state, duration_ms: durationMs }: RecordingBounds): number =>
  (state === 'ready' ? believableLength(durationMs) : limits.maxTakeMs) + toleranceMs;

/** An invalid position, with the name of its field. */
interface Misplacement {
  field: 'fromMs' | 'toMs';
  code: 'too-large' | 'too-small';
  params: Record<string, number>;
}

/**
 * Checks that a note lies within its recording and ends after it starts; null if it is valid. `toMs` is null for a
 * moment.
 */
export function misplacementOf(
  bounds: RecordingBounds,
  { fromMs, toMs }: { fromMs: number; toMs: number | null },
): Misplacement | null {
  const largest = latestMomentMs(bounds);
  if (fromMs > largest) return { field: 'fromMs', code: 'too-large', params: { largest } };
  if (toMs !== null && toMs <= fromMs)
    return { field: 'toMs', code: 'too-small', params: { smallest: fromMs + 1 } };
  return toMs !== null && toMs > largest ? { field: 'toMs', code: 'too-large', params: { largest } } : null;
}
