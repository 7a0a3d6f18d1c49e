import { expect, test } from 'vitest';
import { locales } from '#contract/locales.ts';
import { languageNames } from './language-names.ts';

const german = () => languageNames('ar').find(({ locale }) => locale.tag === 'de');

test('a language is found by its own name, its name here, its English name and its code', () => {
  expect(german()?.searchText).toBe('Deutsch الألمانية German de');
});

const tags = (interfaceTag: string, preferred: string[] = []) =>
  languageNames(interfaceTag, preferred).map(({ locale }) => locale.tag);

test('every language is listed once: first the one shown and those the browser asks for, then the others by name', () => {
  expect(tags('en')).toHaveLength(locales.length);
  expect(tags('en').slice(0, 6)).toEqual(['en', 'id', 'cs', 'de', 'es', 'fr']);
  expect(tags('en', ['pt-PT', 'sr', 'zh-TW', 'de-AT', 'en-GB']).slice(0, 4)).toEqual([
    'en',
    'pt-BR',
    'de',
    'id',
  ]);
  expect(new Set(tags('ja', ['ar-EG'])).size).toBe(locales.length);
});

test('a browser whose list holds what is no language tag is served all the same', () => {
  expect(tags('de', ['C', '']).slice(0, 2)).toEqual(['de', 'id']);
});
