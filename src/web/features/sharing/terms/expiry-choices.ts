import { day } from '#base/duration.ts';
import type { Share, SharingPolicy } from '#contract/shares.ts';

const standardDays = [1, 7, 30, 90, 365];

/** The numbers of days that a link can be made to last, by the rules of the server. */
export function daysOffered({ longestDays, defaultDays }: SharingPolicy): number[] {
  const longest = longestDays ?? Infinity;
  const days = new Set([...standardDays, defaultDays, ...(longestDays === null ? [] : [longestDays])]);
  return [...days].filter((count) => count <= longest).toSorted((a, b) => a - b);
}

/**
 * The new end of a link that is extended: the default time after its present end, or after now if that is over,
 * but not later than the rules allow. Null if it would not be at least a day later than the present end.
 */
export function extendedUntil(
  { expiresAt }: Pick<Share, 'expiresAt'>,
  { longestDays, defaultDays }: SharingPolicy,
  nowMs: number,
): string | null {
  if (expiresAt === null) return null;
  const endMs = Date.parse(expiresAt);
  const wantedMs = Math.max(endMs, nowMs) + defaultDays * day;
  const latestMs = longestDays === null ? wantedMs : nowMs + longestDays * day;
  const nextMs = Math.min(wantedMs, latestMs);
  return nextMs >= endMs + day ? new Date(nextMs).toISOString() : null;
}
