import { describe, expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import { formatRecordedTime, formatWhereRecorded } from './format-recorded-time.ts';
import { isCalendarDate, isLocalDateTime } from './calendar.ts';
import { isPossible, newestFirst, possibleTime } from './order.ts';
import {
  isoTime,
  isSameTime,
  momentOf,
  recordedDate,
  type RecordedTime,
  unknownTime,
} from './recorded-time.ts';
import { instantOfWallClock, isPlace, wallClockIn } from './zones.ts';

const zones = ['America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati'] as const;
const date = (text: string): RecordedTime => ({ kind: 'date', date: text });
const local = (text: string): RecordedTime => ({ kind: 'local', dateTime: text });
const bare = (text: string | null) => text?.replace(/[\u00a0\u202f]/g, ' ') ?? null;

test.each(['1961', '1961-01', '1961-01-20', '2024-02-29', '1000-01-01', '9999-12-31'])(
  'accepts %s as a date of the calendar',
  (text) => {
    expect(isCalendarDate(text)).toBe(true);
  },
);

test.each([
  '2023-02-29',
  '1900-02-29',
  '2024-04-31',
  '2024-13',
  '2024-00-10',
  '2024-01-00',
  '0999',
  '999',
  '19610',
  '1961-1',
  '1961-01-20T10:00',
  ' 1961',
  '',
])('rejects %j', (text) => {
  expect(isCalendarDate(text)).toBe(false);
});

test('accepts only a day of the calendar with a time of the clock as a local time', () => {
  expect(
    ['2024-05-17T14:03:05', '2024-05-17T00:00:00', '2024-05-17T23:59:59'].filter(isLocalDateTime),
  ).toHaveLength(3);
  expect(
    [
      '2024-05-17T24:00:00',
      '2024-05-17T14:60:00',
      '2024-02-30T14:03:05',
      '2024-05-17T14:03',
      '2024-05-17',
      '2024-05-17T14:03:05Z',
    ].filter(isLocalDateTime),
  ).toEqual([]);
});

describe.each(zones)('read in %s', (timeZone) => {
  const read = (time: RecordedTime, locale = 'en-US') => bare(formatRecordedTime(time, { locale, timeZone }));

  test('a day stays the same day, without a time', () => {
    expect([
      read(date('2019-05-17')),
      read(date('1961-01-20')),
      read(date('2019-05-17'), 'de'),
      read(date('2019-05-17'), 'ar'),
    ]).toEqual(['May 17, 2019', 'January 20, 1961', '17. Mai 2019', '17 مايو 2019']);
  });

  test('a month and a year are not days, even in calendars with other months', () => {
    expect([
      read(date('1962-08')),
      read(date('1962')),
      read(date('1962-08'), 'fr'),
      read(date('1962'), 'fa'),
    ]).toEqual(['August 1962', '1962', 'août 1962', expect.stringContaining('۱۹۶۲')]);
  });

  test('a local time is shown as its clock showed it', () => {
    expect(read(local('2024-05-17T14:03:05'))).toBe('May 17, 2024 at 2:03 PM');
  });

  test("a moment is shown in the reader's zone", () => {
    const shown = {
      'America/Los_Angeles': 'May 17, 2024 at 7:03 AM',
      UTC: 'May 17, 2024 at 2:03 PM',
      'Asia/Kolkata': 'May 17, 2024 at 7:33 PM',
      'Pacific/Kiritimati': 'May 18, 2024 at 4:03 AM',
    };
    expect(read(momentOf('2024-05-17T14:03:05.000Z', null))).toBe(shown[timeZone]);
  });

  test('an unknown time has no text', () => {
    expect(read(unknownTime)).toBeNull();
  });
});

test('also shows a moment in the zone of the recording if it differs, and the day if that differs', () => {
  const moment = momentOf('2024-05-17T20:03:05.000Z', 'Asia/Kolkata');
  expect(bare(formatWhereRecorded(moment, { locale: 'en-US', timeZone: 'Europe/Berlin' }))).toBe(
    'May 18, 2024 at 1:33 AM GMT+5:30',
  );
  expect(bare(formatWhereRecorded(moment, { locale: 'en-US', timeZone: 'Asia/Tokyo' }))).toBe(
    '1:33 AM GMT+5:30',
  );
  expect([
    formatWhereRecorded(moment, { locale: 'en', timeZone: 'Asia/Colombo' }),
    formatWhereRecorded(momentOf('2024-05-17T20:03:05.000Z', null), { locale: 'en', timeZone: 'UTC' }),
  ]).toEqual([null, null]);
  expect(
    formatWhereRecorded(momentOf('2024-05-17T20:03:05.000Z', 'Mars/Olympus'), {
      locale: 'en',
      timeZone: 'UTC',
    }),
  ).toBeNull();
});

test('sorts times by what is known, newest first and unknown last', () => {
  const sorted = [
    momentOf('1962-08-05T14:00:00.000Z', 'UTC'),
    local('1962-08-05T13:00:00'),
    date('1962-08-05'),
    date('1962-08'),
    date('1962'),
    unknownTime,
  ];
  expect(sorted.toReversed().toSorted(newestFirst)).toEqual(sorted);
});

test('treats times more than a day ahead or before the year 1000 as unknown', () => {
  const nowMs = Date.UTC(2026, 10, 25, 12);
  const tomorrow = new Date(nowMs + day).toISOString();
  expect(
    [
      momentOf(tomorrow, 'UTC'),
      date('2026-11-26'),
      local('2026-11-26T12:00:00'),
      date('2026-11'),
      date('2026'),
      date('1000'),
      unknownTime,
    ].filter((time) => !isPossible(time, nowMs)),
  ).toEqual([]);
  const impossible = [
    momentOf(new Date(nowMs + day + 1).toISOString(), 'UTC'),
    date('2026-11-27'),
    local('2026-11-26T12:00:01'),
    date('2026-12'),
    date('2027'),
    momentOf('0999-12-31T23:59:59.000Z', null),
  ];
  expect(impossible.map((time) => possibleTime(time, nowMs))).toEqual(impossible.map(() => unknownTime));
});

test('names a file by the day where it was recorded', () => {
  const moment = '2024-05-17T22:30:00.000Z';
  expect(
    [
      momentOf(moment, 'Europe/Berlin'),
      momentOf(moment, 'America/New_York'),
      momentOf(moment, null),
      local('2024-05-17T23:30:00'),
      date('1961-01-20'),
      date('1962'),
      unknownTime,
    ].map(recordedDate),
  ).toEqual(['2024-05-18', '2024-05-17', '2024-05-17', '2024-05-17', '1961-01-20', '1962', null]);
  expect(
    [momentOf(moment, null), local('2024-05-17T23:30:00'), date('1962'), unknownTime].map(isoTime),
  ).toEqual(['2024-05-17T22:30:00Z', '2024-05-17T23:30:00', '1962', null]);
});

test('compares times by kind, text and zone', () => {
  const moment = '2024-05-17T22:30:00.000Z';
  expect(
    isSameTime(momentOf(moment, 'UTC'), momentOf(moment, 'UTC')) &&
      isSameTime(unknownTime, unknownTime) &&
      isSameTime(date('1962'), date('1962')),
  ).toBe(true);
  expect([
    isSameTime(momentOf(moment, 'UTC'), momentOf(moment, null)),
    isSameTime(date('1962'), date('1963')),
    isSameTime(date('1962'), unknownTime),
    isSameTime(momentOf(moment, null), momentOf('2024-05-17T22:30:00.001Z', null)),
  ]).toEqual([false, false, false, false]);
});

test.each(zones)('converts wall clocks in %s back to the same instant', (timeZone) => {
  for (let atMs = Date.UTC(1001, 0, 1); atMs < Date.UTC(2100, 0, 1); atMs += 97.3 * day) {
    const second = Math.floor(atMs / 1000) * 1000;
    expect(instantOfWallClock(Date.parse(`${wallClockIn(timeZone, second)}Z`), timeZone)).toBe(second);
  }
});

test('never breaks a line before AM, PM or the name of a zone', () => {
  const moment = momentOf('2024-05-17T20:03:05.000Z', 'Asia/Kolkata');
  const read = { locale: 'en-US', timeZone: 'Asia/Tokyo' };
  expect([
    formatRecordedTime(moment, read),
    formatRecordedTime(local('2024-05-17T14:03:05'), read),
    formatWhereRecorded(moment, read),
  ]).toEqual(['May 18, 2024 at 5:03\u00a0AM', 'May 17, 2024 at 2:03\u00a0PM', '1:33\u00a0AM\u00a0GMT+5:30']);
});

test('takes UTC and fixed offsets for no place', () => {
  expect(
    ['Asia/Kolkata', 'America/Argentina/Salta', 'UTC', 'Etc/UTC', 'Etc/GMT+5', 'GMT'].filter(isPlace),
  ).toEqual(['Asia/Kolkata', 'America/Argentina/Salta']);
});
