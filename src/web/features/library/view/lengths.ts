import { hour, minute } from '#base/duration.ts';
import type { LibraryView } from './library-view.ts';

type Bounds = Pick<LibraryView, 'minMs' | 'maxMs'>;

/** The length ranges that the filter offers. */
export const lengths = {
  'below-minute': { minMs: null, maxMs: minute - 1 },
  minutes: { minMs: minute, maxMs: 10 * minute - 1 },
  'below-hour': { minMs: 10 * minute, maxMs: hour - 1 },
  hours: { minMs: hour, maxMs: null },
} as const satisfies Record<string, Bounds>;

export type Length = keyof typeof lengths;

/** The names of the length ranges, in order. */
export const lengthNames: readonly Length[] = ['below-minute', 'minutes', 'below-hour', 'hours'];

/** The length range of a view; null if it has none, or one that is not offered. */
export function lengthOf({ minMs, maxMs }: Bounds): Length | null {
  return lengthNames.find((name) => lengths[name].minMs === minMs && lengths[name].maxMs === maxMs) ?? null;
}
