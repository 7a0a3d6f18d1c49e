import { day } from '#base/duration.ts';
import { unixMsOf } from '#base/instant.ts';
import { refuseField } from '../../http/validation.ts';

/** A year as instants are written: outside 0 to 9999 with a sign and six digits. */
const writtenYear = (year: number): string => (year >= 0 && year <= 9999 ? String(year).padStart(4, '0') : `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`);

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetMs(timeZone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric', era: 'short' }).formatToParts(atMs);
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const year = parts.some(({ type, value }) => type === 'era' && value.startsWith('B')) ? 1 - number('year') : number('year');
  const two = (type: Intl.DateTimeFormatPartTypes): string => String(number(type)).padStart(2, '0');
  const shown = `${writtenYear(year)}-${two('month')}-${two('day')}T${two('hour')}:${two('minute')}:${two('second')}Z`;
  return unixMsOf(shown) - Math.floor(atMs / 1000) * 1000;
}

/**
 * When a day, given by its midnight in UTC, begins in a zone. Where the clocks are changed about then, midnight is the one before the change or the
 * one after it; the first where it comes twice; and where it does not come at all, the change itself, which is midnight by the clocks before.
 */
function startOfDay(midnightMs: number, timeZone: string): number {
  const [earlier = midnightMs, later = midnightMs] = [midnightMs - day, midnightMs + day].map((atMs) => midnightMs - offsetMs(timeZone, atMs)).toSorted((a, b) => a - b);
  return [earlier, later].find((atMs) => atMs + offsetMs(timeZone, atMs) === midnightMs) ?? later;
}

function refuseUnknownZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw refuseField('/query/timeZone', 'time-zone');
  }
}

/** Unix milliseconds from which on, and before which; null where that side is open. Validation (422) for a zone that nobody knows. */
export function boundsOf({ from, to, timeZone = 'UTC' }: { from?: string | undefined; to?: string | undefined; timeZone?: string | undefined }): { fromMs: number | null; beforeMs: number | null } {
  refuseUnknownZone(timeZone);
  const bound = (text: string, days: number): number => (text.length === 10 ? startOfDay(unixMsOf(`${text}T00:00:00.000Z`) + days * day, timeZone) : unixMsOf(text));
  return { fromMs: from === undefined ? null : bound(from, 0), beforeMs: to === undefined ? null : bound(to, 1) };
}
