import { instantOf, unixMsOf } from '#base/instant.ts';
import { wallClockIn } from './zones.ts';

/**
 * When a recording was made, as far as it is known.
 * `moment`: an instant, and the IANA zone where it was recorded if that is known. `source: 'file'`: the date of the
 * imported file, which copying and editing change; its owner chose it for want of a better one.
 * `local`: a date and time in an unknown zone, `2024-05-17T14:03:05`.
 * `date`: a day `2019-05-17`, a month `2019-05` or a year `2019`, without a zone, so that it never shifts.
 */
export type RecordedTime =
  | { kind: 'moment'; at: string; timeZone: string | null; source?: 'file' | undefined }
  | { kind: 'local'; dateTime: string }
  | { kind: 'date'; date: string }
  | { kind: 'unknown' };

export const unknownTime: RecordedTime = { kind: 'unknown' };

export const momentOf = (at: string, timeZone: string | null): RecordedTime => ({
  kind: 'moment',
  at,
  timeZone,
});

/** The date of an imported file as the time of its recording. */
export const fileTime = (modifiedAtMs: number): RecordedTime => ({
  kind: 'moment',
  at: instantOf(modifiedAtMs),
  timeZone: null,
  source: 'file',
});

export const isFromFile = (time: RecordedTime): boolean => time.kind === 'moment' && time.source === 'file';

/** The day, month or year of a time where it was recorded; null if unknown. For names of files and folders. */
export function recordedDate(time: RecordedTime): string | null {
  if (time.kind === 'moment') return wallClockIn(time.timeZone ?? 'UTC', unixMsOf(time.at)).slice(0, 10);
  if (time.kind === 'local') return time.dateTime.slice(0, 10);
  return time.kind === 'date' ? time.date : null;
}

/**
 * A time in ISO 8601, to the second, no more exact than it is known; null if unknown. For tags of files and
 * `<time>`.
 */
export function isoTime(time: RecordedTime): string | null {
  if (time.kind === 'moment') return time.at.replace(/\.\d+Z$/, 'Z');
  if (time.kind === 'local') return time.dateTime;
  return time.kind === 'date' ? time.date : null;
}

export function isSameTime(a: RecordedTime, b: RecordedTime): boolean {
  return (
    a.kind === b.kind &&
    isoTime(a) === isoTime(b) &&
    isFromFile(a) === isFromFile(b) &&
    (a.kind !== 'moment' || b.kind !== 'moment' || (a.timeZone === b.timeZone && a.at === b.at))
  );
}
