import { BoundedMap } from '#base/bounded-map.ts';

const formatters = new BoundedMap<string, Intl.DateTimeFormat>(200);

function formatter(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${Object.keys(options).join(' ')}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone, calendar: 'gregory', numberingSystem: 'latn' });
  formatters.set(key, made);
  return made;
}

const partOf = (format: Intl.DateTimeFormat, atMs: number, type: Intl.DateTimeFormatPartTypes): string => format.formatToParts(atMs).find((part) => part.type === type)?.value ?? '';

function wordsIn(locale: string, timeZone: string, atMs: number): string[] {
  // Many languages write a month differently beside a day and by itself.
  return [partOf(formatter(locale, timeZone, { month: 'long', day: 'numeric' }), atMs, 'month'), formatter(locale, timeZone, { month: 'long' }).format(atMs)];
}

function words(atMs: number, timeZone: string, locale: string): string[] {
  const numbers = formatter('en', timeZone, { year: 'numeric', month: 'numeric', day: 'numeric' });
  const [year, month, day] = (['year', 'month', 'day'] as const).map((type) => partOf(numbers, atMs, type));
  const padded = [month, day].map((number) => (number ?? '').padStart(2, '0'));
  return [year, month, day, ...padded].map((number) => number ?? '').concat(wordsIn('en', timeZone, atMs), wordsIn(locale, timeZone, atMs));
}

/** What a day is called: year, month and day as numbers, the month's names in English and in the owner's language. */
export function dateWords(atMs: number, timeZone: string, locale: string | null): string[] {
  try {
    return words(atMs, timeZone, locale ?? 'en');
  } catch {
    // A zone or a language that this Node.js does not know.
    return words(atMs, 'UTC', 'en');
  }
}
