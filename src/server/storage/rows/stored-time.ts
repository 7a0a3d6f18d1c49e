import { instantBounds, instantOf, unixMsOf } from '#base/instant.ts';
import { isCalendarDate, isLocalDateTime, recordedYears } from '#base/recorded-time/calendar.ts';
import { orderMsOf } from '#base/recorded-time/order.ts';
import { isFromFile, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { untitledName } from '#base/recorded-time/untitled-name.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import { knownTimeZone } from './known-values.ts';

/** Without the source of a time. Migrations index recordings before that column exists. */
export const earlierTimeColumns = ['started_at', 'time_zone', 'recorded_kind', 'recorded_date'] as const;

export const timeColumns = [...earlierTimeColumns, 'recorded_from'] as const;

type TimeColumns = Pick<RecordingRow, (typeof timeColumns)[number]>;

/** Returns the columns that store a time. */
export const columnsOfTime = (time: RecordedTime): TimeColumns => ({
  started_at: orderMsOf(time),
  time_zone: time.kind === 'moment' ? (time.timeZone ?? '') : '',
  recorded_kind: time.kind,
  recorded_date: time.kind === 'local' ? time.dateTime : time.kind === 'date' ? time.date : null,
  recorded_from: isFromFile(time) ? 'file' : null,
});

/** Returns a stored kind of time. An unknown kind, or one whose text cannot be read, becomes `unknown`. */
export function knownTimeKind({
  recorded_kind: kind,
  recorded_date: text,
}: Pick<TimeColumns, 'recorded_kind' | 'recorded_date'>): RecordingRow['recorded_kind'] {
  if (kind === 'local') return isLocalDateTime(text ?? '') ? kind : 'unknown';
  if (kind === 'date') return isCalendarDate(text ?? '') ? kind : 'unknown';
  return kind === 'moment' ? kind : 'unknown';
}

function storedMoment({
  started_at: atMs,
  time_zone: timeZone,
  recorded_from: source,
}: TimeColumns): RecordedTime {
  const isInYears =
    atMs >= unixMsOf(`${recordedYears.first}-01-01T00:00:00.000Z`) && atMs <= instantBounds.max;
  const zone = knownTimeZone(timeZone);
  return isInYears
    ? {
        kind: 'moment',
        at: instantOf(atMs),
        timeZone: zone === '' ? null : zone,
        ...(source === 'file' && { source }),
      }
    : unknownTime;
}

/** Returns a stored time; unknown if this version cannot read it. */
export function timeOfRow(row: TimeColumns): RecordedTime {
  const [kind, text] = [knownTimeKind(row), row.recorded_date ?? ''];
  if (kind === 'moment') return storedMoment(row);
  if (kind === 'local') return { kind, dateTime: text };
  return kind === 'date' ? { kind, date: text } : unknownTime;
}

/** The zone of a row, for programs that cannot represent a missing zone. */
export const zoneOrUtc = ({ time_zone: timeZone }: Pick<RecordingRow, 'time_zone'>): string =>
  timeZone === '' ? 'UTC' : timeZone;

/** The name of a recording in files: its title, or its day and time if the user gave none. */
export const nameInFiles = (recording: TimeColumns & Pick<RecordingRow, 'title'>): string =>
  recording.title === '' ? untitledName(timeOfRow(recording)) : recording.title;
