import { assert, constantFrom, date, oneof, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentOf, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { fieldsOf, type TimeFields, timeOfFields } from './time-fields.ts';

const nowMs = Date.UTC(2026, 10, 25, 12);
const empty: TimeFields = { year: '', month: '', date: '', clock: '' };
const filled = (fields: Partial<TimeFields>, before: RecordedTime = unknownTime) => {
  const { time, problem } = timeOfFields({ ...empty, ...fields }, { before, nowMs });
  return time ?? problem;
};

test.each<[Partial<TimeFields>, RecordedTime]>([
  [{}, unknownTime],
  [{ year: '1962' }, { kind: 'date', date: '1962' }],
  [
    { year: '1962', month: '08' },
    { kind: 'date', date: '1962-08' },
  ],
  [
    { year: '1962', month: '08', date: '5' },
    { kind: 'date', date: '1962-08-05' },
  ],
  [
    { year: '1962', month: '08', date: '05', clock: '14:03' },
    { kind: 'local', dateTime: '1962-08-05T14:03:00' },
  ],
  [
    { year: ' ١٩٦٢', month: '08', date: '۵' },
    { kind: 'date', date: '1962-08-05' },
  ],
])('%j is a time as precise as what is filled in', (fields, time) => {
  expect(filled(fields)).toEqual(time);
});

test.each<[Partial<TimeFields>, string]>([
  [{ month: '08' }, 'incomplete'],
  [{ year: '1962', date: '5' }, 'incomplete'],
  [{ year: '1962', month: '08', clock: '14:03' }, 'incomplete'],
  [{ year: '62' }, 'year'],
  [{ year: '0962' }, 'year'],
  [{ year: 'abcd' }, 'year'],
  [{ year: '2023', month: '02', date: '29' }, 'no-such-day'],
  [{ year: '2023', month: '02', date: '0' }, 'no-such-day'],
  [{ year: '2023', month: '02', date: 'x' }, 'no-such-day'],
  [{ year: '2026', month: '12' }, 'future'],
  [{ year: '2027' }, 'future'],
  [{ year: '2026', month: '11', date: '27' }, 'future'],
])('%j is rejected as %s', (fields, problem) => {
  expect(filled(fields)).toBe(problem);
});

describe('a moment is edited in the time zone where it was recorded', () => {
  const before = momentOf('2024-05-17T20:03:05.250Z', 'Asia/Kolkata');

  test('and stays the same if nothing is changed', () => {
    expect(fieldsOf(before)).toEqual({ year: '2024', month: '05', date: '18', clock: '01:33:05' });
    expect(filled(fieldsOf(before), before)).toBe(before);
  });

  test('another time of day makes another moment, and none makes a day', () => {
    expect(filled({ ...fieldsOf(before), clock: '02:00' }, before)).toEqual(
      momentOf('2024-05-17T20:30:00.000Z', 'Asia/Kolkata'),
    );
    expect(filled({ ...fieldsOf(before), clock: '' }, before)).toEqual({ kind: 'date', date: '2024-05-18' });
  });
});

test('saving the fields of any time unchanged gives the same time', () => {
  const iso = date({
    min: new Date('1000-01-02T00:00:00Z'),
    max: new Date('2026-11-20T00:00:00Z'),
    noInvalidDate: true,
  }).map((value) => value.toISOString());
  const times = oneof(
    record({ text: iso, length: constantFrom(4, 7, 10) }).map(({ text, length }): RecordedTime => ({
      kind: 'date',
      date: text.slice(0, length),
    })),
    iso.map((text): RecordedTime => ({ kind: 'local', dateTime: text.slice(0, 19) })),
  );
  assert(
    property(times, (time) => {
      expect(filled(fieldsOf(time))).toEqual(time);
    }),
  );
});
