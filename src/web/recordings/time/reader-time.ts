import { day } from '#base/duration.ts';
import { dateFormat, formatRecordedTime } from '#base/recorded-time/format-recorded-time.ts';
import { orderMsOf } from '#base/recorded-time/order.ts';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';

interface Reader {
  locale: string;
  nowMs?: number;
}

const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

/**
 * The instant at which the reader's clocks show this time, in Unix milliseconds. A moment is that instant itself.
 */
export const readerMs = (time: RecordedTime): number =>
  time.kind === 'moment'
    ? orderMsOf(time)
    : orderMsOf(time) + new Date(orderMsOf(time)).getTimezoneOffset() * 60_000;

/** The number of days since a time, by the reader's calendar; null if the day is unknown. */
export function daysAgo(time: RecordedTime, nowMs: number): number | null {
  if (time.kind === 'unknown' || (time.kind === 'date' && time.date.length < 10)) return null;
  return Math.round((midnight(nowMs) - midnight(readerMs(time))) / day);
}

/**
 * The title of an untitled recording: "Wednesday, 12:18 AM" within a week, later with the date. Null if its time
 * is unknown.
 */
export function timeTitle(time: RecordedTime, { locale, nowMs = Date.now() }: Reader): string | null {
  const days = daysAgo(time, nowMs);
  if (days === null || time.kind === 'date') return formatRecordedTime(time, { locale });
  const clock: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' };
  const atMs = readerMs(time);
  if (days >= 0 && days < 7) return dateFormat(locale, { weekday: 'long', ...clock }).format(atMs);
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return dateFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    ...clock,
  }).format(atMs);
}
