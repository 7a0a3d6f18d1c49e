import { day } from '#base/duration.ts';
import { unixMsOf } from '#base/instant.ts';
import { instantOfWallClock, isKnownZone, zoneOffsetMs } from '#base/recorded-time/zones.ts';
import { rejectField } from '#server/http/validation.ts';

interface Range {
  from?: string | undefined;
  to?: string | undefined;
  timeZone?: string | undefined;
}

/** Unix milliseconds: from `fromMs` on and before `beforeMs`; null for an open end. */
export interface DayBounds {
  fromMs: number | null;
  beforeMs: number | null;
}

const midnightOf = (date: string, days: number): number => unixMsOf(`${date}T00:00:00.000Z`) + days * day;

/**
 * Converts a range of days to bounds for moments, by the clock of the range's zone, and for times without a zone,
 * whose days are the same everywhere.
 * @throws validation (422) for an unknown zone
 */
export function boundsOf({ from, to, timeZone = 'UTC' }: Range): { moments: DayBounds; zoneless: DayBounds } {
  if (!isKnownZone(timeZone)) throw rejectField('/query/timeZone', 'time-zone');
  const isDay = (text: string): boolean => text.length === 10;
  const moment = (text: string, days: number): number =>
    isDay(text) ? instantOfWallClock(midnightOf(text, days), timeZone) : unixMsOf(text);
  const zoneless = (text: string, days: number): number =>
    isDay(text) ? midnightOf(text, days) : unixMsOf(text) + zoneOffsetMs(timeZone, unixMsOf(text));
  const both = (bound: (text: string, days: number) => number): DayBounds => ({
    fromMs: from === undefined ? null : bound(from, 0),
    beforeMs: to === undefined ? null : bound(to, 1),
  });
  return { moments: both(moment), zoneless: both(zoneless) };
}
