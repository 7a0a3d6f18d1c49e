import { latinDigits } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import type { SharingPolicy } from '#contract/shares.ts';

/** What was read from the two fields with days. */
interface ReadLinkDays {
  /** Null if a field is wrong. */
  days: Pick<SharingPolicy, 'longestDays' | 'defaultDays'> | null;
  isDefaultWrong: boolean;
  isLongestWrong: boolean;
}

/** A typed number of days; undefined if it is not one. */
function daysOf(typed: string): number | undefined {
  const text = latinDigits(typed).trim();
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= limits.share.expiryDays ? days : undefined;
}

/** The days until new links expire, and the most that a link may last. An empty field for the latter is no limit. */
export function readLinkDays({ usual, longest }: { usual: string; longest: string }): ReadLinkDays {
  const longestDays = longest.trim() === '' ? null : daysOf(longest);
  const defaultDays = daysOf(usual);
  const isTooLong = typeof longestDays === 'number' && defaultDays !== undefined && defaultDays > longestDays;
  const isRight = longestDays !== undefined && defaultDays !== undefined && !isTooLong;
  return {
    days: isRight ? { longestDays, defaultDays } : null,
    isDefaultWrong: defaultDays === undefined || isTooLong,
    isLongestWrong: longestDays === undefined,
  };
}
