import { unixMsOf } from '#base/instant.ts';
import { latinDigits } from '#base/text.ts';
import { wallClockIn } from '#base/recorded-time/zones.ts';

/** "Recording, {when}" in the languages of earlier versions, which stored it when the user gave no title. */
const beginnings = [
  'Recording',
  'Aufnahme vom',
  'تسجيل',
  'রেকর্ডিং',
  'Nahrávka',
  'Grabación',
  'ضبط',
  'Äänite',
  'Enregistrement du',
  'הקלטה',
  'रिकॉर्डिंग',
  'Rekaman',
  'Registrazione',
  '録音',
  '녹음',
  'Opname',
  'Nagranie',
  'Gravação',
  'Запись',
  'Rekodi',
  'Kayıt',
  'Запис',
  'ریکارڈنگ',
  '录音',
];

/** The calendars in which the supported languages and their regions write dates. */
const calendars = ['gregory', 'persian', 'buddhist', 'islamic-umalqura', 'islamic-civil'] as const;

const maxDateLength = 60;

function dateNumbers(
  calendar: string,
  { atMs, timeZone }: { atMs: number; timeZone: string },
): { year: number; month: number; day: number } {
  const parts = new Intl.DateTimeFormat('en', {
    calendar,
    numberingSystem: 'latn',
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(atMs);
  const number = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  return { year: number('year'), month: number('month'), day: number('day') };
}

const sorted = (numbers: readonly number[]): string => numbers.toSorted((a, b) => a - b).join(' ');

/**
 * Returns every way to write a moment in numbers: with and without the month, in 12 and 24 hours, in each
 * calendar.
 */
function writtenNumbers(atMs: number, timeZone: string): Set<string> {
  const clock = wallClockIn(timeZone, atMs);
  const [hour, minute] = [Number(clock.slice(11, 13)), Number(clock.slice(14, 16))];
  const ways = calendars.flatMap((calendar) => {
    const { year, month, day } = dateNumbers(calendar, { atMs, timeZone });
    return [hour, hour % 12 === 0 ? 12 : hour % 12].flatMap((shownHour) => [
      [year, day, shownHour, minute],
      [year, month, day, shownHour, minute],
    ]);
  });
  return new Set(ways.map(sorted));
}

/** Returns the date in a title that starts like a generated one, or null for any other title. */
function dateIn(title: string): string | null {
  const beginning = beginnings.find((words) => title.startsWith(words));
  if (beginning === undefined) return null;
  const rest = title.slice(beginning.length);
  return /^[\s,،、，]/.test(rest) && rest.length <= maxDateLength ? rest : null;
}

/**
 * Returns whether an earlier version generated the title because the user gave none, from its wording and the date
 * and time at which the take started.
 */
export function isGeneratedTitle(
  title: string,
  { atMs, timeZone }: { atMs: number; timeZone: string },
): boolean {
  const date = dateIn(title);
  if (date === null) return false;
  const numbers = (latinDigits(date).match(/\d+/g) ?? []).map(Number);
  return writtenNumbers(atMs, timeZone === '' ? 'UTC' : timeZone).has(sorted(numbers));
}

interface Titled {
  title: string;
  source: 'microphone' | 'import';
  startedAt?: string | undefined;
  timeZone?: string | undefined;
}

/** Returns the title the user gave: empty if a device with an earlier version generated it. */
export function userTitle({ title, source, startedAt, timeZone = '' }: Titled): string {
  if (source !== 'microphone' || startedAt === undefined) return title;
  return isGeneratedTitle(title, { atMs: unixMsOf(startedAt), timeZone }) ? '' : title;
}
