import { second } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { believableLength } from './believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';

/** Whose a recording is and how far it goes: what anything placed in it asks for. */
export type RecordingBounds = Pick<RecordingRow, 'id' | 'owner_id' | 'state' | 'duration_ms'>;

/**
 * The bounds of a recording, where it is this owner's; without an owner of anybody's, for bearers of its
 * capability.
 */
export function findBounds(
  queries: Queries,
  id: string,
  ownerId?: string,
): Promise<RecordingBounds | undefined> {
  const found = queries
    .selectFrom('recordings')
    .select(['id', 'owner_id', 'state', 'duration_ms'])
    .where('id', '=', id);
  return (ownerId === undefined ? found : found.where('owner_id', '=', ownerId)).executeTakeFirst();
}

/** Clocks, last pages and players need not agree to the millisecond on how long a recording is. */
const toleranceMs = second;

/**
 * The latest moment in a recording that anything may be placed at, in milliseconds: one that still grows may
 * be ahead of the bytes that have come.
 */
export const latestMomentMs = ({ state, duration_ms: durationMs }: RecordingBounds): number =>
  (state === 'ready' ? believableLength(durationMs) : limits.longestTakeMs) + toleranceMs;

/** What is wrong with a place, by the name of its field. */
interface Misplacement {
  field: 'fromMs' | 'toMs';
  code: 'too-large' | 'too-small';
  params: Record<string, number>;
}

/**
 * A note lies within its recording and does not end before it begins; null where it does. `toMs`: null for a
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
