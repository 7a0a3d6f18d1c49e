import { day, hour, minute } from '#base/duration.ts';
import { isCalendarDay, recordedYears } from '#base/recorded-time/calendar.ts';
import { orderMsOf } from '#base/recorded-time/order.ts';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';

/**
 * Parts of a time as stated by a text or a table; parts that are not stated are left out. `offset` is `Z`,
 * `+05:30` or `+0530`.
 */
export interface StatedParts {
  year: number;
  month?: number | undefined;
  date?: number | undefined;
  clock?: { hours: number; minutes: number; seconds: number } | undefined;
  offset?: string | undefined;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** The offset from UTC in milliseconds. */
function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const digits = offset.replace(/\D/g, '').padEnd(4, '0');
  return (
    (offset.startsWith('-') ? -1 : 1) *
    (Number(digits.slice(0, 2)) * hour + Number(digits.slice(2, 4)) * minute)
  );
}

/** An offset as a zone name; null for UTC, which says nothing about where a recording was made. */
function zoneOf(offset: string): string | null {
  const ahead = offsetMs(offset);
  return ahead === 0
    ? null
    : `${offset.startsWith('-') ? '-' : '+'}${two(Math.floor(Math.abs(ahead) / hour))}${two((Math.abs(ahead) % hour) / minute)}`;
}

const isClock = ({ hours, minutes, seconds }: NonNullable<StatedParts['clock']>): boolean =>
  hours < 24 && minutes < 60 && seconds < 60;

function dateOfParts({ year, month, date }: StatedParts): RecordedTime {
  const text = [
    String(year),
    ...(month === undefined ? [] : [two(month)]),
    ...(date === undefined ? [] : [two(date)]),
  ].join('-');
  return { kind: 'date', date: text };
}

function momentOfClock(dateTime: string, offset: string): RecordedTime | null {
  const at = new Date(Date.parse(`${dateTime}.000Z`) - offsetMs(offset));
  const isInYears = at.getUTCFullYear() >= recordedYears.first && at.getUTCFullYear() <= recordedYears.last;
  return isInYears ? momentOf(at.toISOString(), zoneOf(offset)) : null;
}

/**
 * The time that the parts state, no more exact than they are; null if the calendar has no such day or the clock no
 * such time.
 */
export function timeOfParts(parts: StatedParts): RecordedTime | null {
  const { year, month, date, clock, offset } = parts;
  if (!isCalendarDay(year, month ?? 1, date ?? 1)) return null;
  if (date === undefined || clock === undefined) return dateOfParts(parts);
  if (!isClock(clock)) return null;
  const dateTime = `${year}-${two(month ?? 1)}-${two(date)}T${two(clock.hours)}:${two(clock.minutes)}:${two(clock.seconds)}`;
  return offset === undefined ? { kind: 'local', dateTime } : momentOfClock(dateTime, offset);
}

/**
 * The epochs of Windows, Excel, MP4 and classic macOS, and Unix. Programs without a clock write them; users do
 * not.
 */
const epochs = ['1601-01-01', '1899-12-30', '1904-01-01', '1970-01-01'];
/** Where clocks of devices restart after losing their battery: FAT, cameras and recorders, Matroska and macOS. */
const resets = ['1980-01-01', '2000-01-01', '2001-01-01'];

/** Zones shift such a midnight back, and a reset clock continues for a while. */
const isNear = (time: RecordedTime, days: readonly string[]): boolean =>
  days.some((text) => {
    const afterMs = orderMsOf(time) - Date.parse(`${text}T00:00:00.000Z`);
    return time.kind === 'date' ? time.date === text : afterMs >= -14 * hour && afterMs < day;
  });

/** Whether a time, a day or more exact, is the default of a program without a clock. */
export const isEpoch = (time: RecordedTime): boolean => isNear(time, epochs);

/** Whether a device wrote the time before its clock was set. */
export const isUnsetClock = (time: RecordedTime): boolean => isNear(time, [...epochs, ...resets]);
