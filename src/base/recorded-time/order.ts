import { day } from '#base/duration.ts';
import { instantBounds, unixMsOf } from '#base/instant.ts';
import { recordedYears } from './calendar.ts';
import { type RecordedTime, unknownTime } from './recorded-time.ts';

/** Unknown times sort before every other by their number; lists put them last in either direction. */
export const unknownOrderMs: number = instantBounds.least;

function dateOrderMs(date: string): number {
  if (date.length === 4) return unixMsOf(`${date}-01-01T00:00:00.000Z`);
  return unixMsOf(date.length === 7 ? `${date}-01T00:00:00.000Z` : `${date}T12:00:00.000Z`);
}

/**
 * Where a time sorts among others, in milliseconds: an instant by itself, a local time as if its clock showed
 * UTC, a day at its noon, a month and a year at their beginning. All but a moment are comparable with the
 * days of any calendar without a zone.
 */
export function orderMsOf(time: RecordedTime): number {
  if (time.kind === 'moment') return unixMsOf(time.at);
  if (time.kind === 'local') return unixMsOf(`${time.dateTime}.000Z`);
  return time.kind === 'date' ? dateOrderMs(time.date) : unknownOrderMs;
}

/** Sorts the newest first, unknown times last. */
export const newestFirst = (a: RecordedTime, b: RecordedTime): number => orderMsOf(b) - orderMsOf(a);

/** Whether a recording can have been made then: clocks and zones may differ by a day from this one. */
export const isPossible = (time: RecordedTime, nowMs: number): boolean =>
  time.kind === 'unknown' ||
  (orderMsOf(time) >= unixMsOf(`${recordedYears.first}-01-01T00:00:00.000Z`) &&
    orderMsOf(time) <= nowMs + day);

/** The same time, or unknown where a recording cannot have been made then. */
export const possibleTime = (time: RecordedTime, nowMs: number): RecordedTime =>
  isPossible(time, nowMs) ? time : unknownTime;
