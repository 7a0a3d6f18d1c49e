import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { iso, isoLeftToRight } from './iso.ts';

const controls = /[\u202a-\u202e\u2066-\u2069]/g;

describe('in a left-to-right language', () => {
  test.each(['Demo provider', 'person 2', 'Ægir (2)', '日本語', '42', '–', ''])(
    '“%s” stays as it is',
    (text) => {
      expect([iso(text, 'en'), iso(text, 'hi'), isoLeftToRight(text, 'de')]).toEqual([text, text, text]);
    },
  );

  test.each(['سالم', 'Ann and سالم', 'שלום', '١٢'])('“%s” is isolated', (text) => {
    expect(iso(text, 'en')).toBe(`\u2068${text}\u2069`);
  });
});

describe('in a right-to-left language', () => {
  test.each(['سالم', 'سالم بن زياد', 'שלום'])('“%s” stays as it is', (text) => {
    expect([iso(text, 'ar'), iso(text, 'ar-EG'), iso(text, 'he')]).toEqual([text, text, text]);
  });

  test.each(['Demo provider', 'سالم 2', 'سالم and Ann', '42', '–', '日本語'])('“%s” is isolated', (text) => {
    expect(iso(text, 'ar')).toBe(`\u2068${text}\u2069`);
  });

  test('a file name stays left to right', () => {
    expect(isoLeftToRight('a.ogg', 'fa')).toBe('\u2066a.ogg\u2069');
  });
});

test('bidi controls in a name cannot affect the text around it', () => {
  expect(iso('evil\u202egnp.exe\u2069', 'en')).toBe('evilgnp.exe');
  expect(iso('evil\u202egnp.exe\u2069', 'ar')).toBe('\u2068evilgnp.exe\u2069');
});

test('isolates any text with paired marks and loses nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('en', 'ar'), (text, locale) => {
      const wrapped = iso(text, locale);
      expect([[], ['\u2068', '\u2069']]).toContainEqual(wrapped.match(controls) ?? []);
      expect(wrapped.replace(controls, '')).toBe(text.replace(controls, ''));
    }),
  );
});
