import { describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '#base/duration.ts';
import { formatsFor } from './format.ts';

const bare = (text: string) =>
  text
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/[\u200e\u200f\u061c]/g, '');
const en = formatsFor('en');
const de = formatsFor('de');
const ar = formatsFor('ar');

describe('fileSize', () => {
  test.each([
    [0, '0 bytes', '0 Byte'],
    [999, '999 bytes', '999 Byte'],
    [1000, '1 kB', '1 kB'],
    [16_400_000, '16.4 MB', '16,4 MB'],
    [999_960_000, '1 GB', '1 GB'],
    [2_147_483_648, '2.1 GB', '2,1 GB'],
  ])('writes %d bytes in decimal units', (bytes, english, german) => {
    expect(bare(en.fileSize(bytes))).toBe(english);
    expect(bare(de.fileSize(bytes))).toBe(german);
  });

  test('keeps Latin digits in Arabic, and the direction of the unit', () => {
    const size = ar.fileSize(16_400_000);
    expect(size).toMatch(/^\u2068.*16[.,]4.*\u2069$/u);
    expect(size).not.toMatch(/[٠-٩]/u);
  });
});

describe('duration', () => {
  test.each([
    [
      1 * hour + 34 * minute + 50 * second,
      '1 hour, 34 minutes, 50 seconds',
      '1 Stunde, 34 Minuten und 50 Sekunden',
    ],
    [52 * minute, '52 minutes', '52 Minuten'],
    [8 * minute + 41_900, '8 minutes, 41 seconds', '8 Minuten, 41 Sekunden'],
    [1400, '1.4 seconds', '1,4 Sekunden'],
    [0, '0 seconds', '0 Sekunden'],
  ])('writes %d ms in words', (ms, english, german) => {
    expect(bare(en.duration(ms))).toBe(english);
    expect(bare(de.duration(ms))).toBe(german);
  });

  test('uses the Arabic dual', () => {
    expect(ar.duration(2 * hour)).toContain('ساعتان');
    expect(ar.duration(2 * minute + 3 * second)).toContain('دقيقتان');
  });

  test('is never negative', () => {
    expect(bare(en.duration(-5000))).toBe('0 seconds');
  });
});

describe('relativeTime', () => {
  const now = new Date(2026, 10, 21, 15, 0, 0).getTime();

  test.each([
    [now - 20 * second, 'now', 'jetzt', 'الآن'],
    [now - 5 * minute, '5 minutes ago', 'vor 5 Minuten', 'قبل 5 دقائق'],
    [now - 3 * hour, '3 hours ago', 'vor 3 Stunden', 'قبل 3 ساعات'],
    [now - 16 * hour, 'yesterday', 'gestern', 'أمس'],
    [now - 2 * day, '2 days ago', 'vorgestern', 'أول أمس'],
  ])('of %d', (at, ...words) => {
    expect([en, de, ar].map(({ relativeTime }) => relativeTime(at, now))).toEqual(words);
  });

  test('becomes a date after a week', () => {
    expect(en.relativeTime(now - 10 * day, now)).toBe('November 11, 2026');
    expect(de.relativeTime(now - 10 * day, now)).toBe('11. November 2026');
    expect(ar.relativeTime(now - 10 * day, now)).toBe('11 نوفمبر 2026');
  });
});

test('accepts a moment as text, as milliseconds and as a Date', () => {
  const ms = Date.UTC(2026, 10, 12, 16, 20);
  const written = en.dateTime(ms);
  expect(en.dateTime(new Date(ms).toISOString())).toBe(written);
  expect(en.dateTime(new Date(ms))).toBe(written);
  expect(bare(written)).toContain('November 12, 2026');
});

test('formats numbers and lists by language', () => {
  expect(en.number(12_345.6)).toBe('12,345.6');
  expect(de.number(12_345.6)).toBe('12.345,6');
  expect(en.list(['a', 'b', 'c'])).toBe('a, b, and c');
  expect(de.list(['a', 'b', 'c'])).toBe('a, b und c');
  expect(ar.list(['أ', 'ب'])).toBe('أ وب');
});

test('creates the formatters of a language once', () => {
  expect(formatsFor('de')).toBe(de);
});
