import { hour, minute, second } from '#base/duration.ts';
import type { LabelUnit } from './label.ts';

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

/** Whole milliseconds as `01:02:03.004`, always with hours. */
export const clockOf = (ms: number): string =>
  `${digits(Math.floor(ms / hour), 2)}:${digits(Math.floor(ms / minute) % 60, 2)}:${digits(Math.floor(ms / second) % 60, 2)}.${digits(ms % second, 3)}`;

/** Whole milliseconds as seconds with six decimals. */
export const secondsOf = (ms: number): string => `${Math.floor(ms / second)}.${digits(ms % second, 3)}000`;

const clock = /^(?:(\d{1,9}):)?(\d{1,9}):(\d{1,2})(?:[.,](\d{1,9}))?$/;
const plainNumber = /^\d{1,12}(?:[.,]\d{1,12})?$/;

const unitMs: Readonly<Record<LabelUnit, number>> = { milliseconds: 1, seconds: second, hours: hour };

/** Whole milliseconds of a plain number; null if it is no time of any recording. */
function plainMs(text: string, unit: LabelUnit): number | null {
  const ms = Math.round(Number(text.replace(',', '.')) * unitMs[unit]);
  return Number.isSafeInteger(ms) ? ms : null;
}

/** Whole milliseconds of `1:02` in hours and minutes; null if the text is not that. */
function hoursAndMinutesMs(text: string): number | null {
  const parts = /^(\d{1,9}):([0-5]?\d)$/.exec(text);
  return parts === null ? null : Number(parts[1]) * hour + Number(parts[2]) * minute;
}

/**
 * Whole milliseconds of `1:02:03.004`, `02:03,004` or a plain number; null if the text is not a time.
 * @param unit of a plain number; with `hours`, `02:03` are hours and minutes
 */
export function msOf(text: string, unit: LabelUnit = 'seconds'): number | null {
  const trimmed = text.trim();
  if (plainNumber.test(trimmed)) return plainMs(trimmed, unit);
  return (unit === 'hours' ? hoursAndMinutesMs(trimmed) : null) ?? clockMs(trimmed);
}

function clockMs(text: string): number | null {
  const parts = clock.exec(text);
  if (!parts) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = parts;
  if (Number(seconds) > 59 || (parts[1] !== undefined && Number(minutes) > 59)) return null;
  return (
    Number(hours) * hour +
    Number(minutes) * minute +
    Number(seconds) * second +
    Math.round(Number(`0.${fraction}`) * second)
  );
}
