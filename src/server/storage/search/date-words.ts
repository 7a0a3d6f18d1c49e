import { BoundedMap } from '#base/bounded-map.ts';
import { recordedDate, type RecordedTime } from '#base/recorded-time/recorded-time.ts';

const formatters = new BoundedMap<string, Intl.DateTimeFormat>(200);

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${Object.keys(options).join(' ')}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, {
    ...options,
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  });
  formatters.set(key, made);
  return made;
}

function monthNames(locale: string, atMs: number): string[] {
  // In many languages the name of a month differs next to a day and alone.
  const besideDay =
    formatter(locale, { month: 'long', day: 'numeric' })
      .formatToParts(atMs)
      .find(({ type }) => type === 'month')?.value ?? '';
  return [besideDay, formatter(locale, { month: 'long' }).format(atMs)];
}

/** Returns no names for a language that this Node.js does not support. */
function ownMonthNames(locale: string | null, atMs: number): string[] {
  try {
    return monthNames(locale ?? 'en', atMs);
  } catch {
    return [];
  }
}

/**
 * Returns the words for a recording's local day, as far as it is known: year, month and day as numbers, and the
 * month's names in English and in the owner's language.
 */
export function dateWords(time: RecordedTime, locale: string | null): string[] {
  const [year, month, date] = (recordedDate(time) ?? '').split('-');
  if (year === undefined || year === '') return [];
  const numbers = [month, date].filter((number) => number !== undefined);
  const names =
    month === undefined
      ? []
      : [Date.UTC(Number(year), Number(month) - 1, 15)].flatMap((atMs) => [
          ...monthNames('en', atMs),
          ...ownMonthNames(locale, atMs),
        ]);
  return [year, ...numbers, ...numbers.map((number) => String(Number(number))), ...names];
}
