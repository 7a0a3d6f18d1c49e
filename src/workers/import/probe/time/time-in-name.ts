import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { latinDigits } from '#base/text.ts';
import { dayWithMonthName } from './day-with-month-name.ts';
import { isUnsetClock, type StatedParts, timeOfParts } from './stated-time.ts';

/** A day in a name, and the text around it. */
interface Day {
  year: number;
  month?: number | undefined;
  date?: number | undefined;
  rest: string;
  before: string;
}

const year = String.raw`(?<year>(?:18[6-9]|19\d|20\d)\d)`;
const month = String.raw`(?<month>0[1-9]|1[0-2])`;
const date = String.raw`(?<date>0[1-9]|[12]\d|3[01])`;
const [from, to] = [String.raw`(?<!\d)`, String.raw`(?!\d)`];

const dayPatterns: readonly RegExp[] = [
  // 20240517140305 and 202405171403 of dictation machines; the time follows without a separator.
  new RegExp(`${from}${year}${month}${date}(?=(?:[01]\\d|2[0-3])[0-5]\\d(?:[0-5]\\d)?${to})`),
  // 2024-05-17, 2024_05_17, 2024.05.17, 20240517.
  new RegExp(`${from}${year}(?<sign>[-_.]?)${month}\\k<sign>${date}${to}`),
  // 2024_0517_140305 of cameras and Tascam.
  new RegExp(`${from}${year}[-_]${month}${date}(?=[-_]\\d{6}${to})`),
  // 2024年5月17日, 2024년 5월 17일, and 2024. 5. 17. of Korean systems.
  new RegExp(
    `${from}${year}(?:年|년|\\.) ?(?<month>0?[1-9]|1[0-2])(?:月|월|\\.) ?(?<date>0?[1-9]|[12]\\d|3[01])(?:日|일|\\.)`,
  ),
  // 2024-5-17 of Craig and other bots, where no digit is padded.
  new RegExp(`${from}${year}-(?<month>0?[1-9]|1[0-2])-(?<date>0?[1-9]|[12]\\d|3[01])${to}`),
  // 17.05.2024, 17.5.2024 and 17. 5. 2024: with full stops the day comes first in every country.
  new RegExp(`(?<![\\d.])(?<date>0?[1-9]|[12]\\d|3[01])\\. ?(?<month>0?[1-9]|1[0-2])\\. ?${year}${to}`),
  // audio_12@01-02-2023_12-34-56 of Telegram Desktop, always with the day first.
  new RegExp(`@${date}-${month}-${year}(?=_\\d\\d-\\d\\d-\\d\\d${to})`),
  // 17-05-2024 and 05-17-2024, if only one of the two can be the month.
  new RegExp(`${from}(?<date>1[3-9]|2\\d|3[01])(?<sign>[-_])${month}\\k<sign>${year}${to}`),
  new RegExp(`${from}${month}(?<sign>[-_])(?<date>1[3-9]|2\\d|3[01])\\k<sign>${year}${to}`),
  // 240517_140305 of Samsung and Zoom: a two-digit year only if a complete time follows …
  new RegExp(`${from}(?<year>\\d\\d)${month}${date}(?=[_-](?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d${to})`),
  // … or 240517_0001 and 240517_1403 at the start of Sony's and Tascam's names: a counter of the day, or a time.
  new RegExp(`^(?<year>\\d\\d)${month}${date}(?=[_-](?<counter>\\d{3,4})${to})`),
  // 240517-T001 of Sound Devices: the number of a take.
  new RegExp(`^(?<year>\\d\\d)${month}${date}-T\\d{3}${to}`),
  // 2024-05 at the start.
  new RegExp(`^${year}-${month}(?=[ _]|\\.[A-Za-z]|$)`),
];

/**
 * The words between a day and a time in the languages of macOS: "2024-05-17 at 2.03.05 PM", "… um 14.03.05", "… a
 * las 14.03".
 */
const joiner = String.raw`(?:(?:at|um|à|a las?|a la\(s\)|alle|alle ore|às|om|kl\.?|klo|kello|o|o godz\.?|v|ve|в|о|об|saat|saa|pukul|pada|jam|الساعة|في|ساعت|در|در ساعت|בשעה|ב|को|पर|बजे|এ|সময়|بوقت|پر)[ _-]+)?`;
const morning = '(?:上午|凌晨|早上|午前|오전)';
const evening = '(?:下午|晚上|午後|오후)';
const clock = String.raw`(?<hours>[01]?\d|2[0-3])[-_.:h ]?(?<minutes>[0-5]\d)(?:[-_.:m ]?(?<seconds>[0-5]\d)(?:\d{3})?)?(?:[-_.,]\d{3})?(?!\d)`;
const writtenClock = String.raw`(?<hours>[01]?\d|2[0-3])[時时点點시] ?(?<minutes>[0-5]?\d)[分분](?: ?(?<seconds>[0-5]?\d)[秒초])?`;
const half = String.raw`(?:[ _]?(?:(?<am>a\.? ?m\b|ص|ق\.? ?ظ|dop\.|ap\.|öö|পূর্বাহ্ণ|पूर्वाह्न|дп)|(?<pm>p\.? ?m\b|م|ب\.? ?ظ|odp\.|ip\.|ös|অপরাহ্ণ|अपराह्न|пп)))?`;
const zone = String.raw`(?:[ _]?(?<zone>Z\b|[+-]\d\d:?\d\d|(?:GMT|UTC)(?:[+-]\d{1,2}(?::?\d\d)?)?))?`;
const before = String.raw`^(?:[ _T,-]+${joiner}(?:(?<early>${morning})|(?<late>${evening}))? ?)?`;
const timePatterns: readonly RegExp[] = [
  new RegExp(before + writtenClock + zone, 'iu'),
  new RegExp(before + clock + half + zone, 'iu'),
];

/** Zoom names its files in UTC: `GMT20240517-140305_Recording.m4a`. */
const utcBefore = /(?:GMT|UTC)[ _-]?$/i;

function dayOf({ groups = {}, index, 0: found }: RegExpExecArray, name: string): Day {
  const stated = Number(groups['year']);
  const counterLength = groups['counter'] === undefined ? 0 : groups['counter'].length + 1;
  return {
    year: stated < 100 ? 2000 + stated : stated,
    month: Number(groups['month']),
    date: groups['date'] === undefined ? undefined : Number(groups['date']),
    rest: name.slice(index + found.length + counterLength),
    before: name.slice(0, index),
  };
}

function dayIn(name: string): Day | null {
  for (const pattern of dayPatterns) {
    const found = pattern.exec(name);
    if (found !== null) return dayOf(found, name);
  }
  const named = dayWithMonthName(name);
  return named === null ? null : { ...named, before: '' };
}

function hoursOf({ hours, am, pm, early, late }: Record<string, string | undefined>): number {
  const stated = Number(hours);
  if (pm !== undefined || late !== undefined) return stated < 12 ? stated + 12 : stated;
  return (am !== undefined || early !== undefined) && stated === 12 ? 0 : stated;
}

/** `Z`, `+0530` and `GMT+2` as an offset. */
function offsetOf(stated: string): string {
  const ahead = stated.replace(/^(?:GMT|UTC)/i, '');
  if (ahead === '' || ahead.toUpperCase() === 'Z') return 'Z';
  const [hours = '', minutes = ''] = ahead.slice(1).includes(':')
    ? ahead.slice(1).split(':')
    : [ahead.slice(1, -2) || ahead.slice(1), ahead.length > 3 ? ahead.slice(-2) : ''];
  return `${ahead.slice(0, 1)}${hours.padStart(2, '0')}${minutes.padStart(2, '0')}`;
}

function partsOf({ year: stated, month: ofYear, date: ofMonth, rest, before: ahead }: Day): StatedParts {
  const groups = timePatterns
    .map((pattern) => pattern.exec(rest)?.groups)
    .find((found) => found !== undefined);
  const parts: StatedParts = { year: stated, month: ofYear, date: ofMonth };
  if (groups === undefined || ofMonth === undefined) return parts;
  const { minutes, seconds, zone: offset } = groups;
  const isUtc = utcBefore.test(ahead);
  return {
    ...parts,
    clock: { hours: hoursOf(groups), minutes: Number(minutes), seconds: Number(seconds ?? 0) },
    ...(offset === undefined ? (isUtc ? { offset: 'Z' } : {}) : { offset: offsetOf(offset) }),
  };
}

/**
 * The time in a file's name, in the formats of phones, operating systems, meeting programs and dictation machines;
 * null if it has no day. A time without a zone is a local time. A year alone does not count, because names are
 * full of numbers.
 */
export function timeInName(name: string): RecordedTime | null {
  // macOS puts a narrow no-break space before PM; Arabic systems put direction marks around numbers.
  const day = dayIn(
    latinDigits(name)
      .replace(/[\u00a0\u202f]/g, ' ')
      .replace(/[\u200e\u200f\u061c]/g, ''),
  );
  const time = day === null ? null : timeOfParts(partsOf(day));
  // A device whose clock was never set writes such a time; a user who enters such a day means it.
  return time !== null && time.kind !== 'date' && isUnsetClock(time) ? null : time;
}
