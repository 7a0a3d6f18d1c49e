import { describe, expect, test } from 'vitest';
import { locales } from '#contract/locales.ts';
import { isGeneratedTitle } from './generated-title.ts';

const moment = { atMs: Date.UTC(2026, 10, 25, 0, 18), timeZone: 'Europe/Berlin' };
const whenIn = (locale: string, atMs = moment.atMs) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: moment.timeZone })
    .format(atMs)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** Titles that earlier versions stored, by the language and region of the browser. */
const generated: Record<string, (when: string) => string> = {
  'en-US': (when) => `Recording, ${when}`,
  'en-GB': (when) => `Recording ${when}`,
  de: (when) => `Aufnahme vom ${when}`,
  'ar-EG': (when) => `تسجيل، ${when}`,
  'ar-SA': (when) => `تسجيل، ${when}`,
  bn: (when) => `রেকর্ডিং, ${when}`,
  cs: (when) => `Nahrávka ${when}`,
  es: (when) => `Grabación, ${when}`,
  fa: (when) => `ضبط، ${when}`,
  fi: (when) => `Äänite, ${when}`,
  fr: (when) => `Enregistrement du ${when}`,
  he: (when) => `הקלטה, ${when}`,
  hi: (when) => `रिकॉर्डिंग, ${when}`,
  id: (when) => `Rekaman, ${when}`,
  it: (when) => `Registrazione, ${when}`,
  ja: (when) => `録音、${when}`,
  ko: (when) => `녹음, ${when}`,
  nl: (when) => `Opname, ${when}`,
  pl: (when) => `Nagranie, ${when}`,
  'pt-BR': (when) => `Gravação, ${when}`,
  ru: (when) => `Запись, ${when}`,
  sw: (when) => `Rekodi, ${when}`,
  tr: (when) => `Kayıt, ${when}`,
  uk: (when) => `Запис, ${when}`,
  ur: (when) => `ریکارڈنگ، ${when}`,
  'zh-Hans': (when) => `录音，${when}`,
};

describe('a title that an earlier version generated', () => {
  test.for(Object.entries(generated))('is recognised in %s', ([locale, titleOf]) => {
    expect(isGeneratedTitle(titleOf(whenIn(locale)), moment)).toBe(true);
  });

  test('is recognised by the clock of the time zone in which it was recorded', () => {
    expect(isGeneratedTitle('Recording, Nov 25, 2026, 1:18 AM', moment)).toBe(true);
    expect(isGeneratedTitle('Recording, Nov 25, 2026, 12:18 AM', moment)).toBe(false);
    expect(isGeneratedTitle('Recording, Nov 25, 2026, 12:18 AM', { ...moment, timeZone: '' })).toBe(true);
  });
});

test.for([
  'Recording',
  'Recording, Rosa',
  'Recording, Nov 24, 2026, 1:18 AM',
  'Rosa, Nov 25, 2026, 1:18 AM',
  'Recordings 2026 25 1 18',
  'Recording, Nov 25, 2026, 1:18 AM with Rosa, part 2',
  '',
])('a title of the user stays: %s', (title) => {
  expect(isGeneratedTitle(title, moment)).toBe(false);
});

test('the examples cover every language of the interface', () => {
  const languages = new Set(Object.keys(generated).map((locale) => locale.split('-')[0]));
  const missing = locales.filter(({ tag }) => !tag.includes('X') && !languages.has(tag.split('-')[0]));
  expect(missing).toEqual([]);
});
