import { expect, test } from 'vitest';
import { locales } from '#contract/locales.ts';
import { languageNames } from './language-names.ts';

const german = () => languageNames('ar').find(({ locale }) => locale.tag === 'de');

test('finds a language by its own name, its name in this language, its English name and its code', () => {
  expect(german()?.searchText).toBe('Deutsch الألمانية German de');
});

const tags = (interfaceTag: string, preferred: string[] = []) =>
  languageNames(interfaceTag, preferred).map(({ locale }) => locale.tag);

test('lists each language once: the current one, those the browser prefers, then the others by name', () => {
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

test('ignores browser languages that are not valid tags', () => {
  expect(tags('de', ['C', '']).slice(0, 2)).toEqual(['de', 'id']);
});
