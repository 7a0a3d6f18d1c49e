import { day } from '#base/duration.ts';
import { unixMsOf } from '#base/instant.ts';
import { dateFormat, formatRecordedTime } from '#base/recorded-time/format-recorded-time.ts';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { markup, type Html } from './html.ts';

/** An end this near is shown with its time of day. */
const nearMs = 2 * day;

/**
 * The end of a link. The server does not know the reader's time zone, so it shows the date or time in UTC; the
 * page's script replaces it by the reader's (`data-date`).
 */
export function endTime(expiresAt: string, { locale, nowMs }: { locale: string; nowMs: number }): Html {
  const atMs = unixMsOf(expiresAt);
  const isNear = atMs - nowMs < nearMs;
  const options: Intl.DateTimeFormatOptions = isNear
    ? {
        year: 'numeric',
        month: 'long',
        day: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
        timeZone: 'UTC',
      }
    : { dateStyle: 'long', timeZone: 'UTC' };
  const text = dateFormat(locale, options).format(atMs);
  return markup`<time datetime="${expiresAt}" data-date="${isNear ? 'time' : 'day'}">${text}</time>`;
}

/**
 * The day of a recording, no more exact than it is known: null if nothing is. Only the day of a known instant
 * depends on the reader's time zone.
 */
export function recordedDay(time: RecordedTime, locale: string): Html | null {
  const text = formatRecordedTime(time, { locale, timeZone: 'UTC', isDateOnly: true });
  if (text === null) return null;
  return time.kind === 'moment'
    ? markup`<time datetime="${time.at}" data-date="day">${text}</time>`
    : markup`<time>${text}</time>`;
}
