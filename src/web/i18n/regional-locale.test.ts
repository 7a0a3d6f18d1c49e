import { expect, test } from 'vitest';
import { formatsFor } from './format.ts';
import { regionalLocale } from './regional-locale.ts';

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-DE', 'en-AU'], 'en-AU'],
  ['de', ['en-GB', 'en'], 'de'],
  ['ar', ['ar-EG'], 'ar-EG'],
  ['en', ['en'], 'en'],
  ['zh-Hant', ['zh-CN', 'zh-TW'], 'zh-TW'],
  ['en', ['not a tag', 'en-CA'], 'en-CA'],
])('for the interface language %s, a browser that prefers %s formats as %s', (tag, preferred, expected) => {
  expect(regionalLocale(tag, preferred)).toBe(expected);
});

test('writes English dates in the British style for a British browser, and German ones in the German style', () => {
  const at = new Date(2026, 10, 21, 11, 46);
  expect(formatsFor(regionalLocale('en', ['en-GB'])).dateTime(at)).toBe('21 November 2026 at 11:46');
  expect(formatsFor(regionalLocale('de', ['en-GB'])).dateTime(at)).toBe('21. November 2026 um 11:46');
});
