import { isCalendarDay } from '#base/recorded-time/calendar.ts';
import { isPossible, orderMsOf } from '#base/recorded-time/order.ts';
import { momentOf, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { latinDigits } from '#base/text.ts';
import { instantOfWallClock, isKnownZone, wallClockIn } from '#base/recorded-time/zones.ts';

/**
 * The fields of a time as the user types them; empty if unknown. `month` is 01 to 12, `clock` is `14:03` or
 * `14:03:05`.
 */
export interface TimeFields {
  year: string;
  month: string;
  date: string;
  clock: string;
}

export type TimeProblem = 'year' | 'incomplete' | 'no-such-day' | 'future';

const noFields: TimeFields = { year: '', month: '', date: '', clock: '' };

/** The time zone in which a moment is edited: where it was recorded, or the reader's. */
function editedZone(time: RecordedTime): string {
  const own = time.kind === 'moment' ? time.timeZone : null;
  return own !== null && isKnownZone(own) ? own : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function textOf(time: RecordedTime): string {
  if (time.kind === 'moment') return wallClockIn(editedZone(time), orderMsOf(time));
  if (time.kind === 'local') return time.dateTime;
  return time.kind === 'date' ? time.date : '';
}

/** The fields of a time. */
export function fieldsOf(time: RecordedTime): TimeFields {
  const [date = '', clock = ''] = textOf(time).split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  return {
    ...noFields,
    year,
    month,
    date: day === '' ? '' : String(Number(day)),
    clock: clock.replace(/:00$/, ''),
  };
}

const isTwoDigits = (text: string): boolean => /^\d{1,2}$/.test(text);

/** The reason why the fields are not a date; null if they are. */
function problemOf({ year, month, date, clock }: TimeFields): TimeProblem | null {
  const parts = [year, month, date, clock];
  // Every part needs the one before it.
  if (parts.some((part, index) => part !== '' && parts[index - 1] === '')) return 'incomplete';
  if (!/^[1-9]\d{3}$/.test(year)) return 'year';
  const day = date === '' ? '1' : date;
  return month === '' || (isTwoDigits(day) && isCalendarDay(Number(year), Number(month), Number(day)))
    ? null
    : 'no-such-day';
}

const withSeconds = (clock: string): string => (clock.length === 5 ? `${clock}:00` : clock.slice(0, 8));

/** A day and a time of day: a moment in its time zone if it was one before, else a local time without a zone. */
function clockTime(dateTime: string, before: RecordedTime): RecordedTime {
  if (before.kind !== 'moment') return { kind: 'local', dateTime };
  return momentOf(
    new Date(instantOfWallClock(Date.parse(`${dateTime}.000Z`), editedZone(before))).toISOString(),
    before.timeZone ?? editedZone(before),
  );
}

function filledTime({ year, month, date, clock }: TimeFields, before: RecordedTime): RecordedTime {
  const day = [year, month, date === '' ? '' : date.padStart(2, '0')].filter((part) => part !== '').join('-');
  return clock === '' ? { kind: 'date', date: day } : clockTime(`${day}T${withSeconds(clock)}`, before);
}

const isSame = (one: TimeFields, other: TimeFields): boolean =>
  one.year === other.year &&
  one.month === other.month &&
  one.date === other.date &&
  one.clock === other.clock;

export type FilledTime = { time: RecordedTime; problem: null } | { time: null; problem: TimeProblem };

/** The time that was filled in, or the reason why it is invalid. Returns the time before if nothing was changed. */
export function timeOfFields(
  typed: TimeFields,
  { before, nowMs }: { before: RecordedTime; nowMs: number },
): FilledTime {
  const fields = { ...typed, year: latinDigits(typed.year).trim(), date: latinDigits(typed.date).trim() };
  if (isSame(fields, fieldsOf(before))) return { time: before, problem: null };
  if (isSame(fields, noFields)) return { time: unknownTime, problem: null };
  const problem = problemOf(fields);
  if (problem !== null) return { time: null, problem };
  const time = filledTime(fields, before);
  return isPossible(time, nowMs) ? { time, problem: null } : { time: null, problem: 'future' };
}
