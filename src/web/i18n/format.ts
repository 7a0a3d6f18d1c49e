import { hour, minute, second } from '#base/duration.ts';
import { dateTimeStyle } from './date-time-style.ts';
import { iso } from './iso.ts';

/** RFC 3339 text, Unix milliseconds, or a Date. */
type Instant = string | number | Date;

export interface Formats {
  locale: string;
  /** 12 November 2026, 16:20 */
  dateTime: (at: Instant) => string;
  /** 12 November 2026 */
  date: (at: Instant) => string;
  /** 16:20 */
  time: (at: Instant) => string;
  /** A duration in words: 1 hour, 34 minutes, 50 seconds; below ten seconds with tenths. */
  duration: (ms: number) => string;
  number: (value: number, options?: Intl.NumberFormatOptions) => string;
  /** 16.4 MB, in decimal units and Latin digits, isolated in the direction of the unit's script. */
  fileSize: (bytes: number) => string;
  /** Relative to now: now, 5 minutes ago, yesterday; after a week the date. */
  relativeTime: (at: Instant, nowMs?: number) => string;
  /** a, b, and c */
  list: (items: readonly string[]) => string;
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Creates a value on first use, and once: Intl's constructors are slow, and no page needs all of them. */
function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

function fileSizeIn(locale: string): (bytes: number) => string {
  const formats = onFirstUse(() =>
    units.map(
      (unit, power) =>
        new Intl.NumberFormat(locale, {
          numberingSystem: 'latn',
          style: 'unit',
          unit,
          unitDisplay: power === 0 ? 'long' : 'short',
          maximumFractionDigits: power < 2 ? 0 : 1,
        }),
    ),
  );
  return (bytes) => {
    const size = Math.max(0, bytes);
    const rounded = (power: number) => Number((size / 1000 ** power).toFixed(power < 2 ? 0 : 1));
    let power = 0;
    while (power < units.length - 1 && rounded(power) >= 1000) power += 1;
    // The unit decides the direction: with كيلوبايت the number is on the right.
    return iso(formats()[power]?.format(size / 1000 ** power) ?? '', locale);
  };
}

function durationIn(locale: string): (ms: number) => string {
  const format = onFirstUse(() => new Intl.DurationFormat(locale, { style: 'long' }));
  const secondsFormat = onFirstUse(
    () =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: 'second',
        unitDisplay: 'long',
        maximumFractionDigits: 1,
      }),
  );
  return (ms) => {
    const length = Math.max(0, ms);
    if (length < 10 * second) return secondsFormat().format(Math.floor(length / 100) / 10);
    return format().format({
      hours: Math.floor(length / hour),
      minutes: Math.floor(length / minute) % 60,
      seconds: Math.floor(length / second) % 60,
    });
  };
}

function relativeTimeIn(locale: string, date: (at: Instant) => string): Formats['relativeTime'] {
  const format = onFirstUse(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  return (at, nowMs = Date.now()) => {
    const atMs = new Date(at).getTime();
    const agoMs = nowMs - atMs;
    if (Math.abs(agoMs) < minute) return format().format(0, 'second');
    if (Math.abs(agoMs) < hour) return format().format(-Math.trunc(agoMs / minute), 'minute');
    const days = Math.round((midnight(nowMs) - midnight(atMs)) / (24 * hour));
    if (days === 0) return format().format(-Math.trunc(agoMs / hour), 'hour');
    return Math.abs(days) < 7 ? format().format(-days, 'day') : date(at);
  };
}

function makeFormats(locale: string): Formats {
  const dateTime = onFirstUse(() => new Intl.DateTimeFormat(locale, dateTimeStyle));
  const date = onFirstUse(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }));
  const time = onFirstUse(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  const list = onFirstUse(() => new Intl.ListFormat(locale));
  const number = onFirstUse(() => new Intl.NumberFormat(locale));
  const formatDate = (at: Instant) => date().format(new Date(at));
  return {
    locale,
    dateTime: (at) => dateTime().format(new Date(at)),
    date: formatDate,
    time: (at) => time().format(new Date(at)),
    duration: durationIn(locale),
    number: (value, options) => (options ? new Intl.NumberFormat(locale, options) : number()).format(value),
    fileSize: fileSizeIn(locale),
    relativeTime: relativeTimeIn(locale, formatDate),
    list: (items) => list().format(items),
  };
}

const made = new Map<string, Formats>();

/** The formatters of one language, created once. */
export function formatsFor(locale: string): Formats {
  const known = made.get(locale);
  if (known) return known;
  const formats = makeFormats(locale);
  made.set(locale, formats);
  return formats;
}
