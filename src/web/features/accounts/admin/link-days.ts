import { wholeNumberIn } from '#base/numbers/whole-number.ts';
import { limits } from '#contract/limits.ts';
import type { SharingPolicy } from '#contract/shares.ts';

/** What was read from the two fields with days. */
interface ReadLinkDays {
  /** Null if a field is wrong. */
  days: Pick<SharingPolicy, 'longestDays' | 'defaultDays'> | null;
  isDefaultWrong: boolean;
  isMaxWrong: boolean;
}

/** A typed number of days; undefined if it is not one. */
const daysOf = (typed: string): number | undefined =>
  wholeNumberIn(typed, { min: 1, max: limits.share.expiryDays }) ?? undefined;

/** The days until new links expire, and the most that a link may last. An empty field for the latter is no limit. */
export function readLinkDays({ usual, longest }: { usual: string; longest: string }): ReadLinkDays {
  const longestDays = longest.trim() === '' ? null : daysOf(longest);
  const defaultDays = daysOf(usual);
  const isTooLong = typeof longestDays === 'number' && defaultDays !== undefined && defaultDays > longestDays;
  const isRight = longestDays !== undefined && defaultDays !== undefined && !isTooLong;
  return {
    days: isRight ? { longestDays, defaultDays } : null,
    isDefaultWrong: defaultDays === undefined || isTooLong,
    isMaxWrong: longestDays === undefined,
  };
}
