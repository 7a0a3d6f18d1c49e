import { day } from '#base/duration.ts';
import { instantBounds, unixMsOf } from '#base/instant.ts';
import { recordedYears } from './calendar.ts';
import { type RecordedTime, unknownTime } from './recorded-time.ts';

/** Unknown times have the smallest number; lists put them last in either direction. */
export const unknownOrderMs: number = instantBounds.min;

function dateOrderMs(date: string): number {
  if (date.length === 4) return unixMsOf(`${date}-01-01T00:00:00.000Z`);
  return unixMsOf(date.length === 7 ? `${date}-01T00:00:00.000Z` : `${date}T12:00:00.000Z`);
}

/**
 * The sort key of a time in milliseconds: a moment by its instant, a local time as if it were UTC, a day at its
 * noon, a month or year at its start. All except moments are comparable with days of any calendar without a zone.
 */
export function orderMsOf(time: RecordedTime): number {
  if (time.kind === 'moment') return unixMsOf(time.at);
  if (time.kind === 'local') return unixMsOf(`${time.dateTime}.000Z`);
  return time.kind === 'date' ? dateOrderMs(time.date) : unknownOrderMs;
}

/** Sorts newest first, unknown times last. */
export const newestFirst = (a: RecordedTime, b: RecordedTime): number => orderMsOf(b) - orderMsOf(a);

/**
 * Whether a recording can have been made at this time. Allows a day in the future, because clocks and zones may
 * differ.
 */
export const isPossible = (time: RecordedTime, nowMs: number): boolean =>
  time.kind === 'unknown' ||
  (orderMsOf(time) >= unixMsOf(`${recordedYears.first}-01-01T00:00:00.000Z`) &&
    orderMsOf(time) <= nowMs + day);

/** The time, or unknown if it is impossible. */
export const possibleTime = (time: RecordedTime, nowMs: number): RecordedTime =>
  isPossible(time, nowMs) ? time : unknownTime;
