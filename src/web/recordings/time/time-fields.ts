import { isCalendarDay } from '#base/recorded-time/calendar.ts';
import { isPossible, orderMsOf } from '#base/recorded-time/order.ts';
import { momentOf, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { latinDigits } from '#base/text.ts';
import { instantOfWallClock, isKnownZone, wallClockIn } from '#base/recorded-time/zones.ts';

/**
 * What a user fills in of a time, as it is typed; empty where it is not known. `month` is 01 to 12, `clock`
 * as `14:03` or `14:03:05`.
 */
export interface TimeFields {
  year: string;
  month: string;
  date: string;
  clock: string;
}

export type TimeProblem = 'year' | 'incomplete' | 'no-such-day' | 'future';

const noFields: TimeFields = { year: '', month: '', date: '', clock: '' };

/** The zone by whose clocks a moment is edited: where it was recorded, or where the reader is. */
function editedZone(time: RecordedTime): string {
  const own = time.kind === 'moment' ? time.timeZone : null;
  return own !== null && isKnownZone(own) ? own : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function textOf(time: RecordedTime): string {
  if (time.kind === 'moment') return wallClockIn(editedZone(time), orderMsOf(time));
  if (time.kind === 'local') return time.dateTime;
  return time.kind === 'date' ? time.date : '';
}

/** A time as it is filled in. */
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

/** Why the parts of a date are none; null where they are one. */
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

/** A day and a time of day: a moment of its zone where it was one before, else of no known zone. */
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

/** What was filled in as a time, or why it is none. The time from before where nothing was changed. */
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
