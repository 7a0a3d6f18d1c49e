import { assert, constantFrom, option, property, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { day } from '#base/duration.ts';
import { isPossible } from '#base/recorded-time/order.ts';
import { momentOf, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { type Evidence, recordedWhen } from './recorded-when.ts';

const nowMs = Date.UTC(2026, 10, 25);
const date = (text: string): RecordedTime => ({ kind: 'date', date: text });
const local = (dateTime: string): RecordedTime => ({ kind: 'local', dateTime });
const nothing: Evidence = { tag: null, name: null, recorder: null };
const recorder = momentOf('2019-03-04T05:06:07.000Z', null);

it.each<[string, Partial<Evidence>, RecordedTime]>([
  ['nothing is known', {}, unknownTime],
  ['only the recorder states it', { recorder }, recorder],
  [
    'a tag states a time of day',
    { tag: local('1962-08-05T10:00:00'), name: local('2024-05-17T14:03:05'), recorder },
    local('1962-08-05T10:00:00'),
  ],
  [
    'a name states a time of day',
    { tag: date('2019'), name: local('2024-05-17T14:03:05'), recorder },
    local('2024-05-17T14:03:05'),
  ],
  [
    'a name states another day than the recorder, which may be the day of a conversion',
    { name: date('1961-01-20'), recorder },
    date('1961-01-20'),
  ],
  ['a tag states another day than the recorder', { tag: date('1962'), recorder }, date('1962')],
  ['a name states the day of the recorder', { name: date('2019-03-04'), recorder }, recorder],
  ['a tag states the year of the recorder', { tag: date('2019'), recorder }, recorder],
  [
    'a name states the day before the recorder’s in UTC, as it was in America',
    { name: date('2019-03-03'), recorder },
    recorder,
  ],
  ['a tag is more exact than a name', { tag: date('2019-05-17'), name: date('2019-05') }, date('2019-05-17')],
  ['a tag and a name differ', { tag: date('2019-05-17'), name: date('2019-06') }, date('2019-06')],
  ['a tag is in the future', { tag: date('2031'), name: date('1961') }, date('1961')],
  [
    'everything is in the future',
    {
      tag: date('2031'),
      name: local('2031-01-01T00:00:00'),
      recorder: momentOf('2040-02-06T06:28:15.000Z', null),
    },
    unknownTime,
  ],
])('where %s', (_, evidence, time) => {
  expect(recordedWhen({ ...nothing, ...evidence }, nowMs)).toEqual(time);
});

it('is only ever a time that one source states, and never in the future', () => {
  const any = option(
    constantFrom<RecordedTime>(
      date('1961-01-20'),
      date('2019'),
      date('2031'),
      local('2019-05-17T14:03:05'),
      recorder,
      momentOf(new Date(nowMs + 2 * day).toISOString(), null),
    ),
  );
  assert(
    property(tuple(any, any, any), ([tag, name, stated]) => {
      const time = recordedWhen({ tag, name, recorder: stated }, nowMs);
      expect([tag, name, stated, unknownTime]).toContainEqual(time);
      expect(isPossible(time, nowMs)).toBe(true);
    }),
  );
});
