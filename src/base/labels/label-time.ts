import { hour, minute, second } from '#base/duration.ts';

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

/** Whole milliseconds as `01:02:03.004`, always with hours. */
export const clockOf = (ms: number): string =>
  `${digits(Math.floor(ms / hour), 2)}:${digits(Math.floor(ms / minute) % 60, 2)}:${digits(Math.floor(ms / second) % 60, 2)}.${digits(ms % second, 3)}`;

/** Whole milliseconds as seconds with six decimals. */
export const secondsOf = (ms: number): string => `${Math.floor(ms / second)}.${digits(ms % second, 3)}000`;

const clock = /^(?:(\d{1,9}):)?(\d{1,9}):(\d{1,2})(?:[.,](\d{1,9}))?$/;
const plainSeconds = /^\d{1,12}(?:[.,]\d{1,12})?$/;

/** Whole milliseconds of `1:02:03.004`, `02:03,004` or plain seconds; null if the text is not a time. */
export function msOf(text: string): number | null {
  const trimmed = text.trim();
  if (plainSeconds.test(trimmed)) return Math.round(Number(trimmed.replace(',', '.')) * second);
  const parts = clock.exec(trimmed);
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
