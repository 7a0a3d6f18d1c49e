import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { isEpoch, timeOfParts } from './stated-time.ts';

/** Tags of a file as returned by the parser, with their original names. */
export type RawTags = Readonly<Record<string, unknown>>;

const optional = (text: string | undefined): number | undefined =>
  text === undefined || /^0+$/.test(text) ? undefined : Number(text);

/**
 * `2019`, `2019-05`, `2019-05-17`, optionally followed by a time and an offset: ID3v2.4 §4, Vorbis, RIFF, Apple,
 * Matroska. Taggers also write other separators, and months and days of zeros.
 */
const iso =
  /^(?<year>\d{4})(?:[-/.:](?<month>\d{1,2})(?:[-/.:](?<date>\d{1,2})(?:[T ]+(?<hours>\d{2})(?::?(?<minutes>\d{2})(?::?(?<seconds>\d{2})(?:[.,]\d+)?)?)?\s*(?<offset>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;
const compact =
  /^(?<year>\d{4})(?<month>\d{2})(?<date>\d{2})(?:T?(?<hours>\d{2})(?<minutes>\d{2})(?<seconds>\d{2})?(?<offset>Z|[+-]\d{4})?)?$/i;
/** `Fri May 17 14:03:05 2024`: the format of C programs in `IDIT`. */
const ctime =
  /^[A-Z][a-z]{2} (?<name>[A-Z][a-z]{2}) +(?<date>\d{1,2}) (?<hours>\d{2}):(?<minutes>\d{2}):(?<seconds>\d{2}) (?<year>\d{4})$/;
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function monthOf({ month, name }: Record<string, string | undefined>): number | undefined {
  return name === undefined ? optional(month) : monthNames.indexOf(name) + 1;
}

/** The time in a tag's text; null if it has none. */
export function timeOfText(text: string): RecordedTime | null {
  // ID3v2.4 separates several values by a zero.
  const [first = ''] = text.split('\0');
  const groups = [iso, compact, ctime]
    .map((pattern) => pattern.exec(first.trim())?.groups)
    .find((found) => found !== undefined);
  if (groups === undefined) return null;
  const { year, date, hours, minutes, seconds = '0', offset } = groups;
  // Programs that only have fields for a time write a day as midnight; Apple's stores write midnight in
  // California.
  const isDay =
    minutes === undefined ||
    [hours, minutes, seconds].every((part) => Number(part) === 0) ||
    /T0[78]:00:00Z$/.test(first);
  const clock = isDay
    ? undefined
    : { hours: Number(hours), minutes: Number(minutes), seconds: Number(seconds) };
  return timeOfParts({
    year: Number(year),
    month: monthOf(groups),
    date: optional(date),
    clock,
    offset: offset === undefined ? undefined : offset.replace(/UTC|GMT/i, 'Z'),
  });
}

/** ID3v2.3 has separate fields for the year, the day (DDMM) and the time (HHMM) (§4.2.1). */
function id3v23(text: (name: string) => string): string {
  const [year, dayMonth, clock] = [
    text('tyer') || text('tye'),
    text('tdat') || text('tda'),
    text('time') || text('tim'),
  ];
  if (!/^\d{4}$/.test(year) || !/^\d{4}$/.test(dayMonth)) return year;
  const dated = `${year}-${dayMonth.slice(2)}-${dayMonth.slice(0, 2)}`;
  return /^\d{4}$/.test(clock) ? `${dated}T${clock.slice(0, 2)}:${clock.slice(2)}` : dated;
}

/** The year of ID3v1 follows title, artist and album. */
const id3v1 = (bytes: unknown): string =>
  bytes instanceof Uint8Array ? String.fromCharCode(...bytes.subarray(90, 94)) : '';

/** Tags with the time of recording, then those that may have the time of publication. */
const names = [
  'com.apple.quicktime.creationdate',
  'tdrc',
  'trda',
  'trd',
  'date_recorded',
  'recording_date',
  'recorded_date',
  'recordingdate',
  'idit',
  '\u00a9day',
  'date',
  'icrd',
  'year',
  'rldt',
];

const precision = (time: RecordedTime): number => (time.kind === 'date' ? time.date.length : 19);

/**
 * The recording time in the tags of a file: the most exact of those that agree. Null if they state no possible
 * time.
 */
export function taggedTime(raw: RawTags): RecordedTime | null {
  const byName = new Map(
    Object.entries(raw).map(([name, value]): [string, unknown] => [
      name.toLowerCase(),
      Array.isArray(value) ? value[0] : value,
    ]),
  );
  const text = (name: string): string => {
    const value = byName.get(name);
    return typeof value === 'string' ? (value.split('\0')[0]?.trim() ?? '') : '';
  };
  const texts = [...names.map(text), id3v23(text), id3v1(byName.get('tag'))];
  const times = texts.map(timeOfText).filter((time): time is RecordedTime => time !== null && !isEpoch(time));
  const [first] = times;
  if (first === undefined || first.kind !== 'date') return first ?? null;
  const refining = times.filter((time) =>
    (time.kind === 'date' ? time.date : time.kind === 'local' ? time.dateTime : '').startsWith(first.date),
  );
  return refining.toSorted((a, b) => precision(b) - precision(a))[0] ?? first;
}
