import { unixMsOf } from '#base/instant.ts';
import { recordedDate, type RecordedTime } from './recorded-time.ts';
import { wallClockIn } from './zones.ts';

/** The time of day where it was recorded, in a form that is valid in file names; null if only a day is known. */
function clockOf(time: RecordedTime): string | null {
  if (time.kind === 'date' || time.kind === 'unknown') return null;
  const dateTime =
    time.kind === 'local' ? time.dateTime : wallClockIn(time.timeZone ?? 'UTC', unixMsOf(time.at));
  return dateTime.slice(11, 16).replace(':', '.');
}

/** The file name of an untitled recording, the same in every language: `2026-11-25 00.18`. */
export const untitledName = (time: RecordedTime): string =>
  [recordedDate(time) ?? 'Recording', clockOf(time)].filter((part) => part !== null).join(' ');
