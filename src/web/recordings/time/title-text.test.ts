import { i18n } from '@lingui/core';
import { beforeEach, describe, expect, test } from 'vitest';
import { momentOf, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { daysAgo } from './reader-time.ts';
import { titleText } from './title-text.ts';

const nowMs = new Date(2026, 10, 26, 9, 30).getTime();
const at = (...[year, month, date, hour, minute]: [number, number, number, number, number]) =>
  momentOf(new Date(year, month, date, hour, minute).toISOString(), null);
const nameOf = (recordedTime: Parameters<typeof daysAgo>[0], title = '') =>
  titleText({ title, recordedTime }, nowMs).replaceAll(/\s/g, ' ');

describe('the title of a recording', () => {
  beforeEach(() => {
    i18n.loadAndActivate({ locale: 'en', messages: {} });
  });

  test('is the one that the user gave', () => {
    expect(nameOf(at(2026, 10, 25, 0, 18), 'Rosa')).toBe('Rosa');
  });

  test('is weekday and time within a week, later with the date, and in other years with the year', () => {
    expect(nameOf(at(2026, 10, 25, 0, 18))).toMatch(/^Wednesday.*12:18 AM$/);
    expect(nameOf(at(2026, 10, 4, 0, 18))).toMatch(/^Wed, Nov 4,.*12:18 AM$/);
    expect(nameOf(at(2024, 4, 17, 14, 3))).toMatch(/^Fri, May 17, 2024,.*2:03 PM$/);
  });

  test('is in the language of the reader', () => {
    i18n.loadAndActivate({ locale: 'de', messages: {} });
    expect(nameOf(at(2026, 10, 25, 0, 18))).toMatch(/^Mittwoch.*00:18/);
    i18n.loadAndActivate({ locale: 'ar', messages: {} });
    expect(nameOf(at(2026, 10, 25, 0, 18))).toContain('الأربعاء');
  });

  test('is as precise as the time is known', () => {
    expect(nameOf({ kind: 'date', date: '2019-05' })).toBe('May 2019');
    expect(nameOf({ kind: 'local', dateTime: '2026-11-25T14:03:05' })).toMatch(/^Wednesday.*2:03 PM$/);
    expect(nameOf(unknownTime)).not.toBe('');
  });

  test('of a take on this device comes from its start', () => {
    expect(titleText({ title: '', startedAtMs: new Date(2026, 10, 25, 0, 18).getTime() }, nowMs)).toMatch(
      /^Wednesday/,
    );
  });
});

test('days are counted by the calendar of the reader', () => {
  expect(daysAgo(at(2026, 10, 26, 0, 1), nowMs)).toBe(0);
  expect(daysAgo(at(2026, 10, 25, 23, 59), nowMs)).toBe(1);
  expect(daysAgo({ kind: 'date', date: '2026-11-25' }, nowMs)).toBe(1);
  expect(daysAgo({ kind: 'date', date: '2026-11' }, nowMs)).toBeNull();
});
