import { expect, test } from 'vitest';
import { hour, minute, second } from '#base/duration.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { formatsFor } from './format.ts';
import { isoLeftToRight } from './iso.ts';

const at = new Date(2026, 10, 12, 16, 20);
const bare = (text: string) =>
  text.replace(/[\u2066-\u2069\u200e\u200f\u061c]/g, '').replace(/[\u00a0\u202f]/g, ' ');

test.each([
  ['ar', '12 نوفمبر 2026'],
  ['ar-EG', '١٢ نوفمبر ٢٠٢٦'],
  ['fa', '۲۱ آبان ۱۴۰۵'],
  ['hi', '12 नवंबर 2026'],
  ['bn', '১২ নভেম্বর, ২০২৬'],
  ['th', '12 พฤศจิกายน 2569'],
  ['ja', '2026年11月12日'],
])('writes a date in %s with its own calendar and digits: %s', (locale, written) => {
  expect(bare(formatsFor(locale).date(at))).toBe(written);
});

test.each([
  ['ar', 'قبل 5 دقائق', '12,345.6'],
  ['ar-EG', 'قبل ٥ دقائق', '١٢٬٣٤٥٫٦'],
  ['fa', '۵ دقیقه پیش', '۱۲٬۳۴۵٫۶'],
  ['hi', '5 मिनट पहले', '12,345.6'],
  ['bn', '৫ মিনিট আগে', '১২,৩৪৫.৬'],
  ['th', '5 นาทีที่ผ่านมา', '12,345.6'],
])('writes prose in %s with the digits of the language', (locale, ago, number) => {
  const format = formatsFor(locale);
  expect(bare(format.relativeTime(at.getTime() - 5 * minute, at.getTime()))).toBe(ago);
  expect(format.number(12_345.6)).toBe(number);
});

test.each([
  ['fa', '۱ ساعت،'],
  ['hi', '1 घंटा'],
  ['bn', '১ ঘণ্টা'],
  ['th', '1 ชั่วโมง'],
])('writes a duration in %s in words', (locale, starts) => {
  expect(bare(formatsFor(locale).duration(1 * hour + 2 * minute + 5 * second)).startsWith(starts)).toBe(true);
});

test.each(['hi', 'bn', 'th', 'hi-IN-u-nu-deva', 'th-TH-u-ca-buddhist-nu-thai'])(
  'writes a size in %s with Latin digits',
  (locale) => {
    expect(formatsFor(locale).fileSize(16_400_000)).toMatch(/^[^\u2066-\u2069]*16[.,]4[^\u2066-\u2069]*$/u);
  },
);

test.each(['ar', 'ar-EG', 'fa', 'ur', 'he', 'ar-SA-u-ca-islamic-umalqura'])(
  'writes a size in %s with Latin digits, isolated',
  (locale) => {
    expect(formatsFor(locale).fileSize(16_400_000)).toMatch(
      /^\u2068[^\u2066-\u2069]*16[.,]4[^\u2066-\u2069]*\u2069$/u,
    );
  },
);

test('writes a timecode the same in every language, left to right inside a sentence', () => {
  expect(isoLeftToRight(formatTimecode(5_690_000), 'ar')).toBe('\u20661:34:50\u2069');
});
