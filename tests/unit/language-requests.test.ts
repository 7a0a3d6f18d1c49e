import { describe, expect, test } from 'vitest';
import { nearestLanguage } from '#base/nearest-language.ts';
import { negotiateLocale } from '#server/http/pages/negotiate-page.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import { chooseLocale } from '#workers/service-worker/choose-locale.ts';

/** A browser's preferred languages, most wanted first, and the language it gets. */
const requests: readonly (readonly [wanted: string, given: string])[] = [
  ['de', 'de'],
  ['DE', 'de'],
  ['de-CH', 'de'],
  ['de-AT,en', 'de'],
  ['gsw-CH', 'de'],
  ['lb', 'de'],
  ['en-GB', 'en'],
  ['en-US,de', 'en'],
  ['pt', 'pt-BR'],
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['pt-AO', 'pt-BR'],
  ['gl', 'pt-BR'],
  ['es-MX', 'es'],
  ['es-419', 'es'],
  ['ca', 'es'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-hans-cn', 'zh-Hans'],
  ['cmn', 'zh-Hans'],
  ['cmn-Hans-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hans'],
  ['zh-Hant-HK', 'zh-Hans'],
  ['zh-TW,zh,en-US,en', 'zh-Hans'],
  ['yue', 'zh-Hans'],
  ['yue-Hans', 'zh-Hans'],
  ['he', 'he'],
  ['iw', 'he'],
  ['iw-IL', 'he'],
  ['id', 'id'],
  ['in', 'id'],
  ['in-ID', 'id'],
  ['ms', 'id'],
  ['ar-EG', 'ar'],
  ['fa-AF', 'fa'],
  ['prs', 'fa'],
  ['ur-IN', 'ur'],
  ['hi-IN', 'hi'],
  ['hi-Latn', 'hi'],
  ['bn-IN', 'bn'],
  ['sw-KE', 'sw'],
  ['ko-KP', 'ko'],
  ['ja-JP', 'ja'],
  ['tr-CY', 'tr'],
  ['uk-UA', 'uk'],
  ['sk', 'cs'],
  ['af', 'nl'],
  ['fr-CA', 'fr'],
  ['it-CH', 'it'],
  ['kk,ru', 'ru'],
  ['be,ru', 'ru'],
  ['tlh', 'en'],
  ['tlh,de-AT,en', 'de'],
  // The two pseudo-locales are never negotiated.
  ['en-XA', 'en'],
  ['ar-XB', 'ar'],
  ['en-XA,de', 'en'],
  // Invalid language tags.
  ['not a tag', 'en'],
  ['not a tag,de', 'de'],
  ['de_DE', 'en'],
  ['x-pirate', 'en'],
  ['i-klingon,de', 'de'],
  ['"><script>', 'en'],
  ['', 'en'],
  ['é', 'en'],
];

describe('a browser that prefers', () => {
  test.each(requests)('“%s” gets %s', (wanted, given) => {
    expect(negotiateLocale({ query: undefined, cookie: undefined, acceptLanguage: wanted }).tag).toBe(given);
  });

  test.each(requests)('“%s” gets %s offline too', (wanted, given) => {
    expect(chooseLocale({ query: null, cookie: null, languages: wanted.split(',') }).tag).toBe(given);
  });
});

describe('the Accept-Language header', () => {
  test.each([
    ['de;q=0.1,fr;q=0.9', 'fr'],
    ['fr; q=0.3 , de; q=0.7', 'de'],
    ['fr;q=1.000', 'fr'],
    ['FR;Q=0.2,de;q=0.1', 'fr'],
    ['de;q=0,fr;q=0.1', 'fr'],
    ['de;q=0', 'en'],
    ['*', 'en'],
    ['*;q=0.1,de;q=0.01', 'de'],
    ['fr;q=abc,de;q=0.5', 'fr'],
    ['fr;q=0.5.5,de', 'de'],
    ['xx-yy-zz-qq,,;;q=,fr', 'fr'],
    [';;;,,,', 'en'],
    [`${'xx,'.repeat(100)}de`, 'de'],
    [`${'xx,'.repeat(10_000)}de`, 'en'],
    ['a'.repeat(100_000), 'en'],
    [`de,${'x'.repeat(100_000)}`, 'de'],
  ])('%.40s gives %s', (acceptLanguage, given) => {
    expect(negotiateLocale({ query: undefined, cookie: undefined, acceptLanguage }).tag).toBe(given);
  });
});

describe('with several sources,', () => {
  test.each([
    [
      'the URL takes precedence for this page view',
      { query: 'ar', cookie: 'de', acceptLanguage: 'fr' },
      'ar',
    ],
    ['the URL may request a pseudo-locale', { query: 'en-XA', cookie: 'de', acceptLanguage: 'fr' }, 'en-XA'],
    [
      'a URL with an unsupported language is ignored',
      { query: 'tlh', cookie: 'de', acceptLanguage: 'fr' },
      'de',
    ],
    [
      'the chosen language takes precedence over the browser’s',
      { query: undefined, cookie: 'de', acceptLanguage: 'fr' },
      'de',
    ],
    ['an invalid choice is ignored', { query: undefined, cookie: '%%', acceptLanguage: 'fr' }, 'fr'],
    [
      'a choice must match a language exactly',
      { query: 'de-CH', cookie: 'fr-CA', acceptLanguage: 'it' },
      'it',
    ],
    [
      'without any preference, English is used',
      { query: undefined, cookie: undefined, acceptLanguage: undefined },
      'en',
    ],
  ])('%s', (_, sources, given) => {
    expect(negotiateLocale(sources).tag).toBe(given);
    expect(
      chooseLocale({
        query: sources.query ?? null,
        cookie: sources.cookie ?? null,
        languages: sources.acceptLanguage?.split(',') ?? [],
      }).tag,
    ).toBe(given);
  });
});

test.each([
  ['de', 'de'],
  ['zh-TW', 'zh-Hans'],
  ['pt-PT', 'pt-BR'],
  ['iw', 'he'],
  ['tlh', 'en'],
  ['not a tag', 'en'],
  [null, 'en'],
])('an account whose language is %s gets its mails in %s', (retained, given) => {
  expect(serverI18n(retained).locale).toBe(given);
});

test.each(['no', 'nn', 'nb-NO', 'da', 'sv', 'sr', 'sr-Latn', 'hr', 'kk', 'be', 'az', 'ku', 'ug', 'tlh'])(
  'a speaker of %s does not get a language that is only a second one there',
  (wanted) => {
    expect(nearestLanguage([wanted], ['en', 'ar', 'cs', 'de', 'fr', 'ru', 'tr', 'uk', 'zh-Hans'])).toBeNull();
  },
);

test.each([
  ['no', ['en', 'nb'], 'nb'],
  ['nn-NO', ['en', 'nb'], 'nb'],
  ['nb', ['da', 'no'], 'no'],
  ['sr-Latn', ['sr', 'hr'], 'hr'],
  ['sr', ['hr', 'sr'], 'sr'],
  ['zh-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
  ['zh-HK', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
  ['pt-PT', ['pt-BR', 'pt-PT'], 'pt-PT'],
  ['pt-AO', ['pt-PT', 'pt-BR'], 'pt-PT'],
])('if more languages are shipped, %s gets its own among %s', (wanted, available, given) => {
  expect(nearestLanguage([wanted], available)).toBe(given);
});
