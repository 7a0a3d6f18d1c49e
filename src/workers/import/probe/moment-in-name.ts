/** A day that a name states, and what follows it. */
interface Day { year: number; month: number; date: number; rest: string; isUtc: boolean }

const year = String.raw`(?<year>(?:18[6-9]|19\d|20\d)\d)`;
const month = String.raw`(?<month>0[1-9]|1[0-2])`;
const date = String.raw`(?<date>0[1-9]|[12]\d|3[01])`;
const [from, to] = [String.raw`(?<!\d)`, String.raw`(?!\d)`];

const dayPatterns: readonly RegExp[] = [
  // 20240517140305 and 202405171403 of dictation machines; the time follows without a sign between.
  new RegExp(`${from}${year}${month}${date}(?=(?:[01]\\d|2[0-3])[0-5]\\d(?:[0-5]\\d)?${to})`),
  // 2024-05-17, 2024_05_17, 2024.05.17, 20240517.
  new RegExp(`${from}${year}(?<sign>[-_.]?)${month}\\k<sign>${date}${to}`),
  // 17.05.2024: with full stops the day comes first everywhere.
  new RegExp(`${from}${date}\\.${month}\\.${year}${to}`),
  // 240517_140305 of Samsung's recorder: two digits of the year only where a whole time follows.
  new RegExp(`${from}(?<year>\\d\\d)${month}${date}(?=[_-](?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d${to})`),
];

/** What stands between a day and a time, in the languages of macOS: "2024-05-17 at 2.03.05 PM", "… um 14.03.05", "… a las 14.03". */
const joiner = String.raw`(?:(?:at|um|à|a las?|alle|às|om|kl\.?|klo|o|v|в|о|saat|pukul|الساعة|في|ساعت|בשעה)[ _]+)?`;
const before = '(?:上午|午前|오전)';
const after = '(?:下午|午後|오후)';
const clock = String.raw`(?<hours>[01]?\d|2[0-3])[-_.:h ]?(?<minutes>[0-5]\d)(?:[-_.:m ]?(?<seconds>[0-5]\d))?(?!\d)`;
const timePattern = new RegExp(String.raw`^(?:[ _T,-]+${joiner}(?:(?<early>${before})|(?<late>${after}))? ?)?${clock}(?:[ _]?(?:(?<am>a\.?m\b)|(?<pm>p\.?m\b)))?(?<zone>Z\b|[+-]\d\d:?\d\d)?`, 'iu');

/** Zoom names its files by UTC: `GMT20240517-140305_Recording.m4a`. */
const utcBefore = /(?:GMT|UTC)[ _-]?$/i;

function dayIn(name: string): Day | null {
  for (const pattern of dayPatterns) {
    const found = pattern.exec(name);
    if (found?.groups === undefined) continue;
    const { groups, index } = found;
    const stated = Number(groups.year);
    return {
      year: stated < 100 ? 2000 + stated : stated, month: Number(groups.month), date: Number(groups.date),
      rest: name.slice(index + found[0].length), isUtc: utcBefore.test(name.slice(0, index)),
    };
  }
  return null;
}

function hoursOf({ hours, am, pm, early, late }: Record<string, string | undefined>): number {
  const stated = Number(hours);
  if (pm !== undefined || late !== undefined) return stated < 12 ? stated + 12 : stated;
  return (am !== undefined || early !== undefined) && stated === 12 ? 0 : stated;
}

const zoneMinutes = (zone: string): number => {
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
};

/** Unix milliseconds; without a time it is the noon of a day. */
export interface NamedMoment { ms: number; hasTime: boolean }

/**
 * The moment in a file's name, in the forms that phones, operating systems, meeting programs and dictation machines write; null where the name states no day. A time without a zone is of this device's zone; a day without a time is
 * its noon there, so that it is the same day for listeners nearby.
 */
export function momentInName(name: string): NamedMoment | null {
  // macOS puts a narrow no-break space before PM.
  const day = dayIn(name.replace(/[\u00a0\u202f]/g, ' '));
  if (day === null) return null;
  const time = timePattern.exec(day.rest)?.groups;
  const ms = unixMs(day, time ?? { hours: '12', minutes: '0' });
  return ms === null ? null : { ms, hasTime: time !== undefined };
}

function unixMs(day: Day, groups: Record<string, string | undefined>): number | null {
  const [hours, minutes, seconds] = [hoursOf(groups), Number(groups.minutes), Number(groups.seconds ?? 0)];
  // The 31st of a month that has thirty days is no date.
  const inUtc = new Date(Date.UTC(day.year, day.month - 1, day.date, hours, minutes, seconds));
  if (inUtc.getUTCDate() !== day.date) return null;
  if (groups.zone !== undefined && groups.zone.toUpperCase() !== 'Z') return inUtc.getTime() - zoneMinutes(groups.zone) * 60_000;
  if (day.isUtc || groups.zone !== undefined) return inUtc.getTime();
  return new Date(day.year, day.month - 1, day.date, hours, minutes, seconds).getTime();
}
