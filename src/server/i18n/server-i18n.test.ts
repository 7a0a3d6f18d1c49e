import { expect, test } from 'vitest';
import { locales } from '#contract/locales.ts';
import {
  accountChanged,
  emailChanged,
  emailCode,
  emailTaken,
  passwordReset,
  resetLinkMade,
  signUpCode,
  signUpTaken,
} from '#server/mail/email-templates.ts';
import { serverI18n } from './server-i18n.ts';

const minutesIn = (tag: string, minutes: number) =>
  signUpCode(serverI18n(tag), { code: '12345678', minutes }).paragraphs[2];

function everyLetter(tag: string) {
  const i18n = serverI18n(tag);
  return [
    signUpCode(i18n, { code: '12345678', minutes: 10 }),
    signUpTaken(i18n, { url: 'http://x' }),
    emailCode(i18n, { code: '12345678', minutes: 10 }),
    emailTaken(i18n),
    emailChanged(i18n, { newEmail: 'a@b.c', link: 'http://x', days: 7 }),
    passwordReset(i18n, { link: 'http://x', minutes: 30 }),
    resetLinkMade(i18n, { name: 'Ann', url: 'http://x' }),
    accountChanged(i18n, { change: 'passkey-added', url: 'http://x' }),
  ];
}

test.each(locales.map(({ tag }) => tag).filter((tag) => tag !== 'en'))(
  'mails in %s are in that language from the first word to the last',
  (tag) => {
    const english = new Set(everyLetter('en').flatMap(({ subject, paragraphs }) => [subject, ...paragraphs]));
    const given = ['12345678', 'http://x', 'a@b.c'];
    const said = everyLetter(tag)
      .flatMap(({ subject, paragraphs }) => [subject, ...paragraphs])
      .filter((text) => !given.includes(text));
    expect(said.filter((text) => english.has(text) || /[{}#]/.test(text))).toEqual([]);
  },
);

test('uses the plural forms of the language', () => {
  expect([minutesIn('en', 1), minutesIn('en', 10)].map((text) => /\d+ \w+/.exec(text ?? '')?.[0])).toEqual([
    '1 minute',
    '10 minutes',
  ]);
  expect(minutesIn('ar', 10)).toContain('10 دقائق');
  expect(minutesIn('ar', 30)).toContain('30 دقيقة');
});

test('falls back to a related language, and to English for an unknown or missing one', () => {
  expect(minutesIn('de-AT', 10)).toBe(minutesIn('de', 10));
  for (const tag of ['tlh', '', '*']) expect(minutesIn(tag, 10)).toBe(minutesIn('en', 10));
  expect(serverI18n(null).locale).toBe('en');
});

test('writes to two recipients in their own languages at the same time', () => {
  const [german, english] = [serverI18n('de'), serverI18n('en')];
  expect(emailTaken(german).subject).toBe('Diese Adresse gehört zu einem anderen Konto');
  expect(emailTaken(english).subject).toBe('This email address is used by another account');
});
