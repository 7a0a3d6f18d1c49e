import { expect, test } from 'vitest';
import { languageNames } from './language-names.ts';

const german = () => languageNames('ar').find(({ locale }) => locale.tag === 'de');

test('a language is found by its own name, its name here, its English name and its code', () => {
  expect(german()?.searchText).toBe('Deutsch الألمانية German de');
});

test('every language is listed once, in the order of the interface language', () => {
  const tags = (interfaceTag: string) => languageNames(interfaceTag).map(({ locale }) => locale.tag);
  expect(tags('en')).toEqual(['de', 'en', 'ar']);
  expect(tags('ar')).toEqual(['ar', 'de', 'en']);
});
