import { dateFormat } from '#base/recorded-time/format-recorded-time.ts';
import { orderMsOf } from '#base/recorded-time/order.ts';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { daysAgo, readerMs } from './reader-time.ts';

interface Reader {
  locale: string;
  nowMs: number;
}

/** Most languages write days and months in lower case within a sentence, but a heading starts with a capital. */
function asHeading(text: string, locale: string): string {
  const [first = '', ...rest] = Array.from(text);
  return first.toLocaleUpperCase(locale) + rest.join('');
}

function monthGroup(time: RecordedTime, { locale, nowMs }: Reader): string {
  const isDate = time.kind === 'date';
  const atMs = isDate ? orderMsOf(time) : readerMs(time);
  const zone: Intl.DateTimeFormatOptions = isDate ? { timeZone: 'UTC' } : {};
  if (isDate && time.date.length === 4) return dateFormat(locale, { year: 'numeric', ...zone }).format(atMs);
  const year = (ms: number) => dateFormat('en', { calendar: 'gregory', year: 'numeric', ...zone }).format(ms);
  return dateFormat(locale, {
    month: 'long',
    ...(year(atMs) === year(nowMs) ? {} : { year: 'numeric' }),
    ...zone,
  }).format(atMs);
}

/**
 * The heading over the recordings of a day: Today, Yesterday, a weekday within a week, else the month. Null for an
 * unknown time.
 */
export function dayGroup(time: RecordedTime, reader: Reader): string | null {
  if (time.kind === 'unknown') return null;
  const { locale, nowMs } = reader;
  const days = daysAgo(time, nowMs);
  if (days === 0 || days === 1)
    return asHeading(new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day'), locale);
  if (days !== null && days > 1 && days < 7)
    return asHeading(dateFormat(locale, { weekday: 'long' }).format(readerMs(time)), locale);
  return asHeading(monthGroup(time, reader), locale);
}
