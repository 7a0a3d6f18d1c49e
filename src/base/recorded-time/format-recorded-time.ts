import { BoundedMap } from '#base/bounded-map.ts';
import { unixMsOf } from '#base/instant.ts';
import { orderMsOf } from './order.ts';
import type { RecordedTime } from './recorded-time.ts';
import { isKnownZone, zoneOffsetMs } from './zones.ts';

const formats = new BoundedMap<string, Intl.DateTimeFormat>(100);

/** A cached date format, because creating one with `Intl` is slow. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formats.set(key, made);
  return made;
}

/** Months and years are Gregorian, because those of other calendars start on other days. */
const dateStyles: Readonly<Record<number, Intl.DateTimeFormatOptions>> = {
  4: { calendar: 'gregory', year: 'numeric' },
  7: { calendar: 'gregory', year: 'numeric', month: 'long' },
  10: { dateStyle: 'long' },
};

/**
 * The text of a format whose time of day does not wrap: no line begins with AM, PM or the name of a zone. Only the
 * spaces beside those are replaced.
 */
function textOf(format: Intl.DateTimeFormat, atMs: number): string {
  const parts = format.formatToParts(atMs);
  const belongsToTime = (index: number) => /^(dayPeriod|timeZoneName)$/.test(parts[index]?.type ?? '');
  return parts
    .map(({ type, value }, index) =>
      type === 'literal' && value.trim() === '' && (belongsToTime(index - 1) || belongsToTime(index + 1))
        ? '\u00a0'
        : value,
    )
    .join('');
}

/** `timeZone` is the reader's; by default that of the environment. `isDateOnly` leaves out the time of day. */
export interface Reader {
  locale: string;
  timeZone?: string | undefined;
  isDateOnly?: boolean;
}

/**
 * A time in the reader's language, no more exact than it is known: a moment in the reader's zone, a local time or
 * date as it is.
 * @returns null if the time is unknown
 */
export function formatRecordedTime(
  time: RecordedTime,
  { locale, timeZone, isDateOnly = false }: Reader,
): string | null {
  const style: Intl.DateTimeFormatOptions = {
    dateStyle: 'long',
    ...(isDateOnly ? {} : { timeStyle: 'short' }),
  };
  if (time.kind === 'moment')
    return textOf(
      dateFormat(locale, { ...style, ...(timeZone === undefined ? {} : { timeZone }) }),
      unixMsOf(time.at),
    );
  if (time.kind === 'local')
    return textOf(dateFormat(locale, { ...style, timeZone: 'UTC' }), orderMsOf(time));
  return time.kind === 'date'
    ? dateFormat(locale, { ...dateStyles[time.date.length], timeZone: 'UTC' }).format(orderMsOf(time))
    : null;
}

/**
 * A moment in the zone where it was recorded, with the name of the zone; with the day if it differs from the
 * reader's.
 * @returns null if the reader's clock showed the same, or that zone is unknown
 */
export function formatWhereRecorded(time: RecordedTime, { locale, timeZone }: Reader): string | null {
  if (time.kind !== 'moment' || time.timeZone === null || !isKnownZone(time.timeZone)) return null;
  const atMs = unixMsOf(time.at);
  const readers = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [there, here] = [time.timeZone, readers].map((zone) => atMs + zoneOffsetMs(zone, atMs));
  if (there === here) return null;
  const isSameDay = new Date(there ?? 0).getUTCDate() === new Date(here ?? 0).getUTCDate();
  const clock: Intl.DateTimeFormatOptions = {
    timeZone: time.timeZone,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  };
  return textOf(
    dateFormat(locale, isSameDay ? clock : { ...clock, year: 'numeric', month: 'long', day: 'numeric' }),
    atMs,
  );
}
