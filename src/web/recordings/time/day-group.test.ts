import { describe, expect, test } from 'vitest';
import { momentOf, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { dayGroup } from './day-group.ts';

const nowMs = new Date(2026, 10, 26, 9, 30).getTime();
const at = (...[year, month, date]: [number, number, number]) =>
  momentOf(new Date(year, month, date, 12).toISOString(), null);
const groupOf = (time: Parameters<typeof dayGroup>[0], locale = 'en') => dayGroup(time, { locale, nowMs });

describe('dayGroup', () => {
  test.for([
    [26, 'Today'],
    [25, 'Yesterday'],
    [24, 'Tuesday'],
    [20, 'Friday'],
    [19, 'November'],
  ] as const)('is, for November %i, %s', ([date, heading]) => {
    expect(groupOf(at(2026, 10, date))).toBe(heading);
  });

  test('is the month with its year for another year, and the month for a future day', () => {
    expect(groupOf(at(2024, 4, 17))).toBe('May 2024');
    expect(groupOf(at(2026, 10, 28))).toBe('November');
  });

  test('is as precise as the date is known', () => {
    expect([
      groupOf({ kind: 'date', date: '2026-11-25' }),
      groupOf({ kind: 'date', date: '2019-05' }),
      groupOf({ kind: 'date', date: '2019' }),
      groupOf(unknownTime),
    ]).toEqual(['Yesterday', 'May 2019', '2019', null]);
  });

  test('is in the reader’s language and calendar, and capitalised', () => {
    expect(groupOf(at(2026, 10, 25), 'de')).toBe('Gestern');
    expect(groupOf(at(2026, 9, 3), 'fr')).toBe('Octobre');
    expect(groupOf(at(2026, 9, 3), 'fa')).toBe(
      new Intl.DateTimeFormat('fa', { month: 'long' }).format(new Date(2026, 9, 3)),
    );
  });
});
