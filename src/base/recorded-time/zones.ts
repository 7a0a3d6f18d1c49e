import { BoundedMap } from '#base/bounded-map.ts';
import { day } from '#base/duration.ts';
import { unixMsOf } from '#base/instant.ts';

const clocks = new BoundedMap<string, Intl.DateTimeFormat>(100);

/** @throws RangeError for an unknown zone */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(timeZone, made);
  return made;
}

export function isKnownZone(timeZone: string): boolean {
  try {
    clockOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** A year of an instant: outside 0 to 9999 with a sign and six digits. */
const writtenYear = (year: number): string =>
  year >= 0 && year <= 9999
    ? String(year).padStart(4, '0')
    : `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;

/** The wall clock of a zone at an instant, `2024-05-17T14:03:05`; of UTC for an unknown zone. */
export function wallClockIn(timeZone: string, atMs: number): string {
  const parts = clockOf(isKnownZone(timeZone) ? timeZone : 'UTC').formatToParts(atMs);
  const number = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  const year = parts.some(({ type, value }) => type === 'era' && value.startsWith('B'))
    ? 1 - number('year')
    : number('year');
  const two = (type: Intl.DateTimeFormatPartTypes): string => String(number(type)).padStart(2, '0');
  return `${writtenYear(year)}-${two('month')}-${two('day')}T${two('hour')}:${two('minute')}:${two('second')}`;
}

/** The offset of a zone from UTC at an instant, in milliseconds. */
export const zoneOffsetMs = (timeZone: string, atMs: number): number =>
  unixMsOf(`${wallClockIn(timeZone, atMs)}Z`) - Math.floor(atMs / 1000) * 1000;

/**
 * The instant at which clocks of a zone show a time, which is given as if it were UTC. Around a clock change: the
 * first instant if the time occurs twice, or the instant by the offset before the change if it does not occur.
 */
export function instantOfWallClock(wallMs: number, timeZone: string): number {
  const [earlier = wallMs, later = wallMs] = [wallMs - day, wallMs + day]
    .map((atMs) => wallMs - zoneOffsetMs(timeZone, atMs))
    .toSorted((a, b) => a - b);
  return [earlier, later].find((atMs) => atMs + zoneOffsetMs(timeZone, atMs) === wallMs) ?? later;
}

/** Whether a zone is named after a place. UTC and fixed offsets are not; browsers that hide their place report UTC. */
export const isPlace = (timeZone: string): boolean => timeZone.includes('/') && !/^Etc\//i.test(timeZone);
